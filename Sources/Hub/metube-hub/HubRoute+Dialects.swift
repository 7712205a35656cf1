import GoogleReaderDialect
import HubCore
import MeTubeDialect
import MinifluxDialect
import WebSearchDialect

extension HubRoute {
  /// The routes of other programs' APIs, which the OpenAPI document leaves out.
  package static let dialects = miniflux + googleReader + meTube + webSearch
}

extension HubDialect {
  /// Why a path without a route is not answered.
  package static func unknown(path: [String]) -> String {
    guard HubDialect(path: path) == .miniflux else { return "no such path; see /api/v1/openapi.json" }
    let isUnsupported = path.dropFirst().contains { MinifluxLimits.unsupportedCalls.contains($0) }
    return isUnsupported ? "metube-hub does not support this call of Miniflux" : "Resource Not Found"
  }
}
