import Commands
import HubStore
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The server and its services, from the options to the end.
struct HubServer {
  private let listen: ListenAddress
  private let responder: HubResponder
  private let loop: PollLoop
  private let watch: LogWatch

  init(_ files: HubFiles, listen: ListenAddress, publicURL: PublicURL?, polls: Bool) throws {
    let isAlone = listen.isLoopback && publicURL == nil && !files.isShared
    let folder = try files.accounts
    if try !isAlone && !Accounts.hasUsers(in: folder) {
      if case .data(let data) = files {
        throw Failure(.usage, "\(data): there are no users; see metube-hub user add --data")
      }
      let what = publicURL == nil ? "--listen \(listen.authority(port: listen.port))" : "--public-url"
      throw Failure(.usage, "\(what): others could reach the hub, and there are no users; see metube-hub user add")
    }
    self.listen = listen
    let services = UserServices(files)
    let gate = Gatekeeper(folder: folder, isAlone: isAlone, isSecure: publicURL?.isSecure ?? false)
    loop = PollLoop(files, users: { try await gate.users() }, isOn: polls)
    watch = LogWatch(services)
    responder = HubResponder(
      hosts: AllowedHosts(publicURL, takesAddresses: !listen.isLoopback), address: publicURL?.text, services: services,
      loop: loop, watch: watch, gate: gate)
  }

  /// Connections at once; others wait to be accepted.
  private static let mostConnections = 700

  /// Serves until SIGTERM or SIGINT; then finishes what is in flight.
  func run() async throws {
    HubPoll.adoptSignals()
    // A home that cannot be read ends the program here, with a message.
    try await responder.services.run(nil) { _ in }
    var logger = Logger(label: "metube-hub")
    logger.logLevel = .critical
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)
    let channel = HTTP1Channel.Configuration(
      additionalChannelHandlers: [SlowReaderHandler()], idleTimeout: .seconds(30), httpDecoderConfiguration: decoder)
    let application = Application(
      responder: responder, server: .http1(configuration: channel),
      configuration: ApplicationConfiguration(
        address: .hostname(listen.host, port: listen.port),
        availableConnectionsDelegate: MaximumAvailableConnections(HubServer.mostConnections, logger: logger)),
      services: [loop, watch],
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? listen.port
        print("metube-hub: http://\(listen.authority(port: port))/")
        Program.flush()
      },
      logger: logger)
    do {
      try await application.runService()
    } catch let error as IOError {
      throw Failure(
        .temporaryFailure, "cannot listen on \(listen.authority(port: listen.port)): \(error.description)")
    }
  }
}

/// Closes a connection whose client does not read its answer.
final class SlowReaderHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  private var closing: Scheduled<Void>?
  private static let patience = TimeAmount.seconds(30)

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    closing?.cancel()
    closing = nil
    if !context.channel.isWritable {
      let channel = context.channel
      closing = context.eventLoop.scheduleTask(in: SlowReaderHandler.patience) { channel.close(promise: nil) }
    }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    closing?.cancel()
    context.fireChannelInactive()
  }
}
