import App
import JSON
import Platform

/// A request of the hub's API, apart from its transport.
package struct HubCall: Sendable {
  /// The values of the variable parts of the path, by name.
  package var parts: [String: String]
  /// The parameters of the query, in order.
  package var query: [(name: String, value: String)]
  package var body: [UInt8]
  /// The file that a client sent, of a route that takes one.
  package var file: ImportInput?
  /// The URL of the request, for documents that name it.
  package var url: String
  /// The WebSub hub that feeds name; nil for none.
  package var webSubHub: String?
  /// The fields of a form, in order.
  package var form: [(name: String, value: String)] = []
  /// The addresses in documents of the page; nil for those of YouTube, and a hub that has its host to itself.
  package var addresses: Addresses?
  /// The user that the request comes from; empty if there are no users.
  package var user = ""
  /// Whether the MeTube app is answered without a secret.
  package var takesApps = false
  /// Whether the request may change something, or use units of the Data API.
  package var mayWrite = true
  /// What may be done with lines that are sent.
  package var right = LineRight.writing

  package init(
    parts: [String: String], query: [(name: String, value: String)], body: [UInt8], file: ImportInput?, url: String
  ) {
    (self.parts, self.query, self.body, self.file, self.url) = (parts, query, body, file, url)
  }

  /// The addresses in documents of the page.
  package struct Addresses: Sendable {
    /// Where players come from: `https://www.youtube-nocookie.com`.
    package var embedOrigin: String
    /// Where thumbnails come from: `https://i.ytimg.com`.
    package var thumbnailOrigin: String
    /// The path below which a proxy serves the hub: `/metube`; empty for all of its host.
    package var base: String
    /// Whether the videos are made up.
    package var isSample = false

    package init(embedOrigin: String, thumbnailOrigin: String, base: String) {
      (self.embedOrigin, self.thumbnailOrigin, self.base) = (embedOrigin, thumbnailOrigin, base)
    }
  }

  /// A variable part of the path; the route has it.
  package func part(_ name: String) -> String { parts[name] ?? "" }

  /// The body as a JSON object. Throws a `HubProblem` if it is something else.
  package func object() throws -> JSONValue {
    guard let value = JSONValue(body), case .object = value else {
      throw HubProblem(400, "the body is not a JSON object")
    }
    return value
  }
}

/// What may be done with the lines of a log that a device sends.
package enum LineRight: Sendable {
  /// They continue the log, or are merged with it.
  case writing
  /// Another token writes the log: they replace damaged lines, and lines of a fork that the hub lacks are kept.
  case mending
  /// The log is the catalogue's: lines that the hub lacks are kept for this user alone.
  case returning
}

/// A response of the hub's API.
package struct RouteResponse: Sendable {
  package var status: Int
  package var type: String
  package var body: [UInt8]
  package var headers: [(name: String, value: String)] = []
  /// Whether to poll what is due once the response is sent.
  package var startsPoll = false
  /// A file that is the body instead, for what is too long to be in memory.
  package var file: File?
  /// The fingerprint of the body, if it was computed already.
  package var digest: UInt64?

  package init(_ status: Int, _ type: String, _ body: [UInt8]) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  /// A temporary file with this many bytes, which is gone with the last response that has it.
  package struct File: Sendable {
    package let scratch: ScratchFile
    package let count: Int
  }

  static let json = "application/json"
}

/// Why a request fails; answered as a problem document (RFC 9457).
package struct HubProblem: Error {
  package var status: Int
  package var detail: String
  /// After how many seconds to try again; nil if that does not help.
  package var retryAfter: Int?

  /// After how many seconds to try again what may work at once: not all clients in the same second.
  package static var shortly: Int { Int.random(in: 3...10) }

  /// The headers of its response in any form.
  package var headers: [(name: String, value: String)] {
    retryAfter.map { [("Retry-After", String($0))] } ?? []
  }

  package init(_ status: Int, _ detail: String, retryAfter: Int? = nil) {
    (self.status, self.detail, self.retryAfter) = (status, detail, retryAfter)
  }

  /// The problem document: `{"type":"about:blank","title":"Not Found","status":404,"detail":"…"}`.
  package var response: RouteResponse {
    let value: JSONValue = [
      "type": "about:blank", "title": .string(HubProblem.titles[status] ?? "Error"), "status": .number(Double(status)),
      "detail": .string(detail),
    ]
    var response = RouteResponse(status, HubProblem.type, value.bytes)
    response.headers += headers
    return response
  }

  package static let type = "application/problem+json"

  private static let titles = [
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 413: "Content Too Large",
    415: "Unsupported Media Type",
    421: "Misdirected Request", 422: "Unprocessable Content", 429: "Too Many Requests", 500: "Internal Server Error",
    503: "Service Unavailable", 504: "Gateway Timeout", 507: "Insufficient Storage",
  ]
}
