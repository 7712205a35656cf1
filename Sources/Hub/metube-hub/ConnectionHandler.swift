import Glibc
import HubHTTP
import HubLimits
import NIOCore
import NIOHTTPTypes

/// Notes what a connection does, and closes it if its client does not read the response: less than 64 KiB in the time
/// that it has. What is read for a client that has gone ends.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let connections: Connections
  private let timeout: TimeAmount
  private var closing: Scheduled<Void>?
  private var leaving: Scheduled<Void>?
  private var stalling: Scheduled<Void>?
  /// Requests that began and are not answered; with pipelining more than one.
  private var pending = 0
  /// How long a client that sends nothing more may still wait: it has gone, or waits for the response to its last
  /// request.
  private static let lastWait = TimeAmount.seconds(2)

  init(_ connections: Connections, timeout: Duration) {
    (self.connections, self.timeout) = (connections, TimeAmount(timeout))
  }

  func handlerAdded(context: ChannelHandlerContext) {
    connections.add(context.channel)
    do { try AbsoluteTarget.addHandler(to: context.pipeline.syncOperations) } catch { context.close(promise: nil) }
    // Otherwise the kernel takes megabytes in one go, and a slow client seems to read nothing for minutes: tcp(7).
    let unsent = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT))
    context.channel.setOption(unsent, value: 1 << 16).whenComplete { _ in }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      pending += 1
      connections.set(context.channel, .sending)
      let (connections, channel) = (connections, context.channel)
      stalling?.cancel()
      // A little later than the body's reader, which answers 408, but only if something comes.
      stalling = context.eventLoop.scheduleTask(in: .nanoseconds(timeout.nanoseconds / 3) + .seconds(1)) {
        if connections.isSendingAsStranger(channel) { channel.close(promise: nil) }
      }
    case .body: break
    case .end:
      stalling?.cancel()
      stalling = nil
      connections.set(context.channel, .answered)
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      pending = max(0, pending - 1)
      connections.set(context.channel, pending == 0 ? .idle : .answered)
    }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    closing?.cancel()
    closing = nil
    if !context.channel.isWritable {
      let channel = context.channel
      closing = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event {
      let (connections, channel) = (connections, context.channel)
      connections.endStream(channel)
      leaving = context.eventLoop.scheduleTask(in: ConnectionHandler.lastWait) { connections.interrupt(channel) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    closing?.cancel()
    leaving?.cancel()
    stalling?.cancel()
    connections.remove(context.channel)
  }
}
