import ArgumentParser
import Arguments
import Glibc
import HubCore
import HubStore
import Logging
import Platform
import ReadModel
import SQLDrivers
import ServiceLifecycle
import SharedPollers
import UnixSignals

/// `poll`: polls what the users of a database follow.
struct PollCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "poll", abstract: "Poll the feeds of a hub on PostgreSQL, together with other pollers.",
    discussion: """
      Any number of pollers share the work: each feed is requested by one of them.
      Pollers whose requests leave from the same IP address have to name the same
      --address: together they send two requests per second, and pause together when
      YouTube refuses that address. An outage pauses all of them. With
      METUBE_RSS_API_KEY they also look up lengths, live states and pictures of
      channels: each by one of them, METUBE_RSS_API_BUDGET units a day together.

      It runs until SIGTERM or Ctrl-C, and then finishes what it has begun.

      Examples:
        metube-hub poll --database postgresql://metube@db/metube
        metube-hub poll --database postgresql://metube@db/metube --address home
      """)
  @OptionGroup var hub: HubOptions
  @Option(help: ArgumentHelp("The address that requests leave from, by any name [the host's name].", valueName: "name"))
  var address: String?
  @Flag(help: "End when nothing is due.") var once = false
  @Flag(name: .shortAndLong, help: "Write a line for each batch of feeds to standard error.") var verbose = false
  @Option(help: ArgumentHelp("Requests per second of the address; 0 is unlimited.", valueName: "n")) var rate = 2.0
  @Option(help: ArgumentHelp("Concurrent requests of this process.", valueName: "n")) var jobs = 4
  @Option(help: ArgumentHelp("The most feeds of a batch.", valueName: "n", visibility: .hidden)) var batch = 32
  @Option(help: ArgumentHelp("How long a batch may take.", valueName: "seconds", visibility: .hidden)) var lease = 300
  @OptionGroup var timeouts: TimeoutOptions

  func validate() throws {
    if !(1...256).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 256") }
    if rate != 0, !(0.001...1000).contains(rate) {
      throw ValidationError("--rate takes 0.001 to 1000 requests per second, or 0")
    }
    if !(1...256).contains(batch) { throw ValidationError("--batch takes a number from 1 to 256") }
    if !(3...3600).contains(lease) { throw ValidationError("--lease takes 3 to 3600 seconds") }
    if address?.isEmpty == true { throw ValidationError("--address: the name is empty") }
  }

  func run() async throws {
    let settings = try hub.settings()
    let database = try hub.requiredDatabase()
    try HubPoll.checkSharedSettings()
    try database.check(
      database.connectOrFail(for: .requests, timeouts.start(settings, isOnce: once)), after: Migration.hub)
    var options = SharedPollOptions(
      name: HostName.process, address: try address ?? settings.value("ADDRESS") ?? HostName.current)
    (options.jobs, options.rate, options.batch, options.lease) = (jobs, rate, batch, lease)
    options.isVerbose = verbose
    HubPoll.adoptSignals()
    if !once {
      let pace = rate == 0 ? "without a limit of requests" : "at most \(rate) requests per second"
      print("metube-hub: polling what the users of the database follow, as \(options.address), \(pace); Ctrl-C ends it")
      Program.flush()
    }
    let service = SharedPollLoop(database, options, isOnce: once) { [name = options.address] in
      ServiceNotifier.current.ready("Polling as \(name)")
    }
    var logger = Logger(label: "metube-hub")
    logger.logLevel = .critical
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          ServiceGroupConfiguration.ServiceConfiguration(
            service: service, successTerminationBehavior: .gracefullyShutdownGroup),
          ServiceGroupConfiguration.ServiceConfiguration(service: ShutdownLimit(seconds: timeouts.end)),
        ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    try await group.run()
  }
}
