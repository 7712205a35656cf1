import Glibc
import NIOCore
import Synchronization

/// Counts a connection, and closes it if its client does not read the answer: less than 32 KiB in the time that it has.
final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  private let patience: TimeAmount
  private let metrics: Metrics
  private var closing: Scheduled<Void>?

  init(_ patience: Duration, _ metrics: Metrics) { (self.patience, self.metrics) = (TimeAmount(patience), metrics) }

  func handlerAdded(context: ChannelHandlerContext) {
    metrics.connections.add(1, ordering: .relaxed)
    // Otherwise the kernel takes megabytes in one go, and a slow client seems to read nothing for minutes: tcp(7).
    let unsent = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT))
    context.channel.setOption(unsent, value: 1 << 16).whenComplete { _ in }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    closing?.cancel()
    closing = nil
    if !context.channel.isWritable {
      let channel = context.channel
      closing = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }
    context.fireChannelWritabilityChanged()
  }

  func handlerRemoved(context: ChannelHandlerContext) { metrics.connections.subtract(1, ordering: .relaxed) }

  func channelInactive(context: ChannelHandlerContext) {
    closing?.cancel()
    context.fireChannelInactive()
  }
}
