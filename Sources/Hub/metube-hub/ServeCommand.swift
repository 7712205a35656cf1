import ArgumentParser
import Core
import HTTPTypes
import HubCore
import HubLimits
import HubPage
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Platform
import ServiceLifecycle

/// `serve`: runs the server.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the log over HTTP, and poll the feeds when they are due.",
    discussion: """
      Beside metube-rss on the same files: marks made in either appear in the other
      at once, and polls of either exclude each other. The API is described at
      /api/v1/openapi.json.

      With --home, or without any option, it serves one person's own files; on a
      loopback address nobody needs a password until that person has one. With --data
      each user has a log of their own, and each feed is polled once for all.
      With --database the same lies in PostgreSQL, and any number of processes on any
      number of machines serve it at once; see metube-hub migrate.

      A hub that others could reach waits for its first user: it answers only /setup,
      where the code of one use that it writes to its journal makes that user, and
      /health. See metube-hub setup for another way.

      Examples:
        metube-hub serve
        metube-hub serve --listen 127.0.0.1:8080 --no-poll
        metube-hub serve --data /var/lib/metube-hub
        metube-hub serve --database postgresql://metube@db.example/metube
      """)
  @OptionGroup var hub: HubOptions
  @Option(
    name: .long,
    help: ArgumentHelp("The address and port to listen on; port 0 is any [127.0.0.1:5057].", valueName: "addr:port"))
  var listen: ListenAddress?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The URL that others use, of a proxy in front of the hub, also with a path; its host is accepted.",
      valueName: "url"),
    transform: PublicURL.parse)
  var publicURL: PublicURL?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A trusted proxy: its X-Forwarded-For header names the client.", valueName: "addr"))
  var trustedProxy: [ProxyAddress] = []
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Connections to the database for requests; others have a few of their own [8].", valueName: "number"))
  var connections: Int?
  @Flag(name: .long, inversion: .prefixedNo, help: "Poll the feeds when they are due [yes].")
  var poll: Bool?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Close a client's connection after this long without a request, reading or sending [30].", valueName: "seconds"))
  var timeout: Int?

  @Flag(
    name: .long, inversion: .prefixedNo,
    help: "Write a line for each request to standard error: time, client, method, path, status, bytes, ms [no].")
  var logRequests: Bool?
  @Option(
    name: .long,
    help: ArgumentHelp("The WebSub hub to name in feeds; something must notify it of new videos.", valueName: "url"))
  var websubHub: HubLink?
  @OptionGroup var origins: OriginOptions
  @OptionGroup var timeouts: TimeoutOptions
  @Flag(
    name: .long, inversion: .prefixedNo,
    help: "Answer the MeTube app without a token, as long as there are no users [no].")
  var metube: Bool?
  @Flag(
    name: .long, inversion: .prefixedNo,
    help: "Poll channels when WebSub hubs announce news; needs --public-url [no].")
  var push: Bool?
  @Option(
    name: .long,
    help: ArgumentHelp("The most channels, playlists and handles that a user may follow [10000].", valueName: "number"))
  var subscriptions: Int?

  func validate() throws {
    if let timeout, !ServeCommand.timeouts.contains(timeout) {
      throw ValidationError("--timeout takes 1 to \(ServeCommand.timeouts.upperBound) seconds")
    }
    if let connections, !ServeCommand.connections.contains(connections) {
      throw ValidationError("--connections takes \(ServeCommand.numberOfConnections)")
    }
    if let subscriptions, subscriptions < 1 { throw ValidationError("--subscriptions takes a number from 1") }
  }

  private static let timeouts = 1...3600
  private static let connections = LogThreads.minConnections...100
  private static let numberOfConnections = "\(connections.lowerBound) to \(connections.upperBound)"

  func run() async throws {
    let settings = try hub.settings()
    let seconds = try timeout ?? settings.value("TIMEOUT") ?? 30
    guard ServeCommand.timeouts.contains(seconds) else {
      throw Failure(.usage, "METUBE_HUB_TIMEOUT: takes 1 to \(ServeCommand.timeouts.upperBound) seconds")
    }
    let connections = try connections ?? settings.value("CONNECTIONS") ?? 8
    guard ServeCommand.connections.contains(connections) else {
      throw Failure(.usage, "METUBE_HUB_CONNECTIONS: takes \(ServeCommand.numberOfConnections)")
    }
    let subscriptions = try subscriptions ?? settings.value("SUBSCRIPTIONS") ?? 10_000
    guard subscriptions >= 1 else {
      throw Failure(.usage, "METUBE_HUB_SUBSCRIPTIONS: takes a number from 1")
    }
    let location = try hub.location
    if case .files(.data(let folder)) = location { try HubMove.checkNotMoved(folder) }
    let publicURL = try publicURL ?? settings.value("PUBLIC_URL")
    let server = try HubServer(
      HubServer.Options(
        location: location,
        listen: listen ?? settings.value("LISTEN") ?? ListenAddress(host: "127.0.0.1", port: 5057),
        publicURL: publicURL,
        proxies: trustedProxy.isEmpty ? settings.values("TRUSTED_PROXY") ?? [] : trustedProxy,
        polls: poll ?? settings.isOn("POLL") ?? true, pollAddress: settings.value("ADDRESS"),
        timeout: .seconds(seconds),
        logsRequests: logRequests ?? settings.isOn("LOG_REQUESTS") ?? false,
        webSubHub: websubHub ?? settings.value("WEBSUB_HUB"), page: origins.settings(at: publicURL),
        takesApps: metube ?? settings.isOn("METUBE") ?? false,
        takesPushes: push ?? settings.isOn("PUSH") ?? false, connections: connections, subscriptions: subscriptions,
        wait: timeouts.start(settings), end: timeouts.end, settings: settings))
    try await server.run()
  }
}

/// An address to listen on: `127.0.0.1:5057` or `[::1]:5057`.
struct ListenAddress: ExpressibleByArgument {
  var host: String
  var port: Int

  init(host: String, port: Int) { (self.host, self.port) = (host, port) }

  init?(argument: String) {
    guard let colon = argument.lastIndex(of: ":"), let port = Int(argument[colon...].dropFirst()),
      (0...65_535).contains(port)
    else { return nil }
    var host = argument[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, host == "localhost" || (try? SocketAddress(ipAddress: String(host), port: port)) != nil else {
      return nil
    }
    self.init(host: String(host), port: port)
  }

  /// Whether only this machine reaches it.
  var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// Whether it stands for all addresses of this machine.
  var isOfAllInterfaces: Bool { host == "0.0.0.0" || host == "::" }

  /// The host and port as in a URL.
  func authority(port: Int) -> String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The value of `--public-url`: `https://hub.example` or `https://example.org/metube`.
struct PublicURL: ExpressibleByArgument {
  /// Without a slash at the end.
  var text: String
  /// The host and port: `hub.example:8443`.
  var authority: String
  /// The path below which a proxy serves the hub: `/metube`; empty for all of the host.
  var base: String

  init?(argument: String) {
    let url = argument.hasSuffix("/") ? argument.dropLast() : argument[...]
    guard
      let address = ["https://", "http://"].lazy.compactMap({ url.hasPrefix($0) ? url.dropFirst($0.count) : nil }).first
    else { return nil }
    authority = address.prefix { $0 != "/" }.lowercased()
    base = String(address.dropFirst(authority.count))
    guard !authority.isEmpty, !authority.contains(where: { "?#@ ".contains($0) }), PublicURL.isPlain(base) else {
      return nil
    }
    text = String(url)
  }

  static func parse(_ text: String) throws -> PublicURL {
    if let url = PublicURL(argument: text) { return url }
    throw ValidationError(
      "use a scheme, a host, and if needed a port and a path of letters, digits, “-”, “.” and “_”, such as "
        + "https://hub.example or https://example.org/metube")
  }

  /// Whether the parts of a path need no encoding, so that it has one form.
  private static func isPlain(_ path: String) -> Bool {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
      !["", ".", ".."].contains(part)
        && part.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }
  }

  /// Whether browsers reach the hub over TLS.
  var isSecure: Bool { text.hasPrefix("https://") }
}

/// The URL of a WebSub hub.
struct HubLink: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard WebLink.isSafe(argument) else { return nil }
    text = argument
  }
}
