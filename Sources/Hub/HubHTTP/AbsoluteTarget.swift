import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Requests whose target is a URL, such as `GET http://hub.example/health`: its host counts instead of that of the `Host`
/// header (RFC 9112, section 3.2.2). The codec of HTTP types drops it.
package struct AbsoluteTarget {
  private var authority: String
  /// With the query.
  private var path: String

  /// The parts of a target; nil unless it is a URL of HTTP.
  private init?(_ target: String) {
    let parts = target.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()) else { return nil }
    let end = parts[1].firstIndex { "/?#".contains($0) } ?? parts[1].endIndex
    authority = String(parts[1][..<end])
    let rest = parts[1][end...]
    path = rest.hasPrefix("/") ? String(rest) : "/\(rest)"
  }

  /// Rewrites the heads of such requests as those of others. Of what is neither a path nor such a URL no route is found.
  private final class Handler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(var head) = unwrapInboundIn(data), !head.uri.utf8.starts(with: "/".utf8) else {
        return context.fireChannelRead(data)
      }
      if let target = AbsoluteTarget(head.uri) {
        head.uri = target.path
        // Two of them are still two.
        if head.headers["Host"].count == 1 { head.headers.replaceOrAdd(name: "Host", value: target.authority) }
      } else {
        head.uri = "*"
      }
      context.fireChannelRead(wrapInboundOut(.head(head)))
    }
  }

  /// Adds the handler to a connection that has its codec.
  package static func addHandler(to pipeline: ChannelPipeline.SynchronousOperations) throws {
    let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
    try pipeline.addHandler(Handler(), position: .before(codec))
  }
}
