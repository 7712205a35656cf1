import NIOCore
import NIOEmbedded
import NIOHTTPTypesHTTP1
import Synchronization
import Testing

@testable import metube_hub

@Suite("Connections whose clients leave")
struct ConnectionsTests {
  private let connections = Connections(maximum: 4, proxies: TrustedProxies([]))

  @Test(
    "An event stream ends as soon as its client leaves, also one that left before it began", arguments: [true, false])
  func streams(closes: Bool) throws {
    let channel = EmbeddedChannel()
    let handler = ConnectionHandler(connections, timeout: .seconds(60))
    try channel.pipeline.syncOperations.addHandlers([HTTP1ToHTTPServerCodec(secure: false), handler])
    let ended = Mutex(0)
    connections.listen(channel) { ended.withLock { $0 += 1 } }
    #expect(ended.withLock { $0 } == 0)
    if closes {
      _ = try channel.finish()
    } else {
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
    #expect(ended.withLock { $0 } == 1)
    _ = try? channel.finish()
    #expect(ended.withLock { $0 } == 1)
    connections.listen(channel) { ended.withLock { $0 += 1 } }
    #expect(ended.withLock { $0 } == 2)
  }
}
