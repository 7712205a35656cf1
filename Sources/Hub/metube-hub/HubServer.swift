import Arguments
import Glibc
import HubAPI
import HubCore
import HubGoogle
import HubLimits
import HubPage
import HubPush
import HubStore
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Platform
import PollEngine
import ReadModel
import SQLDrivers
import ServiceLifecycle
import SharedPollers
import UnixSignals

/// The server and its services, from the options to the end.
struct HubServer {
  /// The options of the server.
  struct Options {
    var location: HubLocation
    var listen: ListenAddress
    var publicURL: PublicURL?
    var proxies: [ProxyAddress]
    var polls: Bool
    /// The name of the address that requests for feeds leave from; nil for the host's name.
    var pollAddress: String?
    /// How long a client may be idle, or take for a body, before it is cut off.
    var timeout: Duration
    var logsRequests: Bool
    /// The WebSub hub that feeds name; nil for none.
    var webSubHub: HubLink?
    /// Where the page takes thumbnails and the player from.
    var page: PageSettings
    /// Whether the MeTube app is answered without a secret, as long as there are no users.
    var takesApps: Bool

    /// Whether to subscribe at WebSub hubs.
    var takesPushes: Bool

    /// The number of connections to a database that answer requests from logs.
    var connections: Int

    /// The maximum number of channels, playlists and handles that a user may follow.
    var subscriptions: Int

    /// How long to wait at the start for a database that does not respond.
    var wait: DatabaseWait
    /// How many seconds the services may take to end.
    var end: Int
    /// The settings of the hub, which may name its first user; nil for a demo, which has no users.
    var settings: HubSettings?
    /// The feeds of a demo, which are polled instead of YouTube's; its page is open to any client.
    var samples: SampleFeeds?
    /// Called with the port once the hub listens.
    var started: @Sendable (Int) -> Void = { _ in }

    /// Whether only this machine can reach the hub, or nothing of a person is in it.
    var isAlone: Bool {
      samples != nil || listen.isLoopback && publicURL == nil && proxies.isEmpty && !location.isShared
    }
  }

  private let options: Options
  private let responder: HubResponder
  private let status: StatusSocket
  /// The right to serve a data folder.
  private let lock: HubLock?
  /// What looks for damage.
  private let inspections: InspectionLoop
  /// The poller of a database; nil if this process does not poll.
  private let sharedPolls: SharedPollLoop?

  init(_ options: Options) throws {
    self.options = options
    let location = options.location
    let maxConnections = try DescriptorLimit.prepare(toDatabase: location.database == nil ? 0 : options.connections)
    try HubServer.check(location, options)
    lock = try location.files?.lock()
    // Before folders are made that users lack.
    if case .files(.data) = location { try HubUsers(location, location.openAccounts()).completeRenamings() }
    let awaitsUser =
      try options.settings.map {
        try FirstUser.isMissing(at: location, isAlone: options.isAlone, settings: $0)
      } ?? false
    if case .files(.data) = location { location.files?.makeFolders(of: try location.openAccounts().users()) }
    let gate = Gatekeeper(
      location, isAlone: options.isAlone, awaitsUser: awaitsUser, isSecure: options.publicURL?.isSecure ?? false,
      base: options.page.base,
      threads: HubThreads.accounts)
    let inspection = LogInspection(location.files)
    let services = UserServices(
      location, gate.accounts, inspection, connections: options.connections,
      maxSubscriptions: options.subscriptions)
    let loop = PollLoop(
      location, users: { try await gate.users() }, maxSubscriptions: options.subscriptions,
      isOn: options.polls && location.files != nil, samples: options.samples)
    responder = try HubServer.responder(
      options, gate, services, HealthCheck(location, inspection), loop, maxConnections)
    sharedPolls = HubServer.sharedPolls(options)
    status = StatusSocket(
      folder: try location.files?.accounts, gate: gate, loop: loop, watch: responder.watch,
      connections: responder.connections, inspection: inspection)
    inspections = InspectionLoop(inspection, location.database)
  }

  /// Throws unless the database has the tables of this program, and if a setting that the hub follows is invalid.
  private static func check(_ location: HubLocation, _ options: Options) throws {
    if let database = location.database {
      let connection = try database.connectOrFail(for: .accounts, options.wait)
      try database.check(connection, after: Migration.hub)
      if options.polls { try HubPoll.checkSharedSettings() }
    }
    try HubPoll.checkSettings(of: location)
  }

  private static func responder(
    _ options: Options, _ gate: Gatekeeper, _ services: UserServices, _ health: HealthCheck, _ loop: PollLoop,
    _ maxConnections: Int
  ) throws -> HubResponder {
    let (publicURL, proxies) = (options.publicURL, TrustedProxies(options.proxies))
    let polls: any Polls =
      options.location.files == nil
      ? DatabasePolls(services: services, accounts: gate.accounts) : FilePolls(loop: loop, services: services)
    return HubResponder(
      hosts: AllowedHosts(publicURL, takesAddresses: !options.listen.isLoopback), address: publicURL?.text,
      proxies: proxies, timeout: options.timeout, gate: gate, services: services, health: health, loop: loop,
      polls: polls, watch: LogWatch(services), metrics: Metrics(),
      connections: Connections(maximum: maxConnections, proxies: proxies),
      log: RequestLog(isOn: options.logsRequests), webSubHub: options.webSubHub?.text, page: options.page,
      document: HubDocument.bytes(below: options.page.base), takesApps: options.takesApps,
      push: try subscriber(options),
      google: try GoogleDesk(
        options.location, gate.accounts, address: publicURL?.text, keyPath: options.settings?.text("GOOGLE_KEY_FILE"),
        hasUsers: { try await !gate.users().isEmpty }
      ) { user, body in try await services.run(user, on: \.writing, body) })
  }

  /// The poller of a database; nil if this process does not poll.
  private static func sharedPolls(_ options: Options) -> SharedPollLoop? {
    guard options.polls, let database = options.location.database else { return nil }
    let polling = SharedPollOptions(name: HostName.process, address: options.pollAddress ?? HostName.current)
    return SharedPollLoop(database, polling, isOnce: false)
  }

  /// The subscriber at WebSub hubs; nil without `--push`.
  private static func subscriber(_ options: Options) throws -> PushLoop? {
    guard options.takesPushes else {
      if let files = options.location.files { try HubService.forgetPushed(files) }
      return nil
    }
    guard let address = options.publicURL?.text else {
      throw Failure(.usage, "--push needs --public-url, an address that the hub of WebSub reaches")
    }
    let client = PushClient(try options.location.settings())
    let backend: any PushBackend =
      switch options.location {
      case .database(let database): DatabasePushes(database, client)
      case .files(let files): FilePushes(files, folder: try files.accounts)
      }
    return PushLoop(backend, client, address: address)
  }

  /// Serves until SIGTERM or SIGINT; then finishes what is in flight.
  func run() async throws {
    HubPoll.adoptSignals()
    // A home that cannot be read ends the program here, with a message.
    try await responder.health.counts()
    var logger = Logger(label: "metube-hub")
    logger.logLevel = .critical
    let connections = responder.connections
    // The limit learns of the signal first: the application waits for its connections before it tells its own services.
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          ServiceGroupConfiguration.ServiceConfiguration(service: application(logger)),
          ServiceGroupConfiguration.ServiceConfiguration(
            service: ShutdownLimit(seconds: options.end) { connections.closeAll() }),
        ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do {
      try await group.run()
    } catch let error as IOError {
      let why = String(cString: strerror(error.errnoCode))
      let listen = options.listen
      throw Failure(.temporaryFailure, "cannot listen on \(listen.authority(port: listen.port)): \(why)")
    }
  }

  /// The services of the server. Those that work for users begin when there is one.
  private var services: [any Service] {
    let forUsers: [any Service] =
      [responder.loop, GoogleLoop(desk: responder.google)] + (responder.push.map { [$0] } ?? [])
      + (sharedPolls.map { [$0] } ?? [])
    let firstUser = responder.gate.firstUser
    return forUsers.map { AfterFirstUser(firstUser: firstUser, service: $0) }
      + [
        firstUser, responder.watch, status, inspections, FreedMemoryLoop(),
        WatchdogLoop(loops: MultiThreadedEventLoopGroup.singleton),
      ]
  }

  /// The server with its services.
  private func application(_ logger: Logger) -> some Service {
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)
    let (listen, timeout, connections, status) = (options.listen, options.timeout, responder.connections, status)
    let (firstUser, page) = (responder.gate.firstUser, options.publicURL.map { $0.text + "/setup" })
    let started = options.started
    let channel = HTTP1Channel.Configuration(
      additionalChannelHandlers: [ConnectionHandler(connections, timeout: timeout)],
      idleTimeout: TimeAmount(timeout),
      httpDecoderConfiguration: decoder)
    return Application(
      responder: responder, server: .http1(configuration: channel),
      configuration: ApplicationConfiguration(
        address: .hostname(listen.host, port: listen.port)),
      services: services,
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? listen.port
        let url = "http://\(listen.authority(port: port))/"
        status.started(at: url)
        // No browser opens the address of all interfaces.
        let host = listen.isOfAllInterfaces ? "localhost:\(port)" : listen.authority(port: port)
        firstUser.started(at: page ?? "http://\(host)/setup")
        ServiceNotifier.current.ready(
          firstUser.isAwaited ? "Waiting for the first user at \(url)setup" : "Serving at \(url)")
        print("metube-hub: \(url)")
        Program.flush()
        started(port)
      },
      logger: logger)
  }
}
