import App
import ArgumentParser
import Arguments
import Core
import EventLog
import Glibc
import HubCore
import HubPage
import Platform
import PollEngine

/// `demo`: the page on sample feeds.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Try the page on sample feeds, without network and login.",
    discussion: """
      Serves twenty sample feeds from a temporary folder until Ctrl-C, which
      removes it. Your own files and settings are neither read nor changed. The
      channels are real, their videos are made up, and the newest is of today.

      Whoever reaches the address can use the page, so it listens on this machine
      alone unless --listen says otherwise.

      Examples:
        metube-hub demo
        metube-hub demo --open
        metube-hub demo --listen 127.0.0.1:8080
      """)
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The address and port to listen on; port 0 is any [127.0.0.1:5057, or the next free port].",
      valueName: "addr:port"))
  var listen: ListenAddress?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The folder with feeds.opml and channels/UC….xml (default: METUBE_RSS_DEMO, else share/metube-rss/demo).",
      valueName: "dir"),
    completion: .directory)
  var feeds: String?
  @Flag(name: .long, help: "Open the page in a browser.") var open = false

  func run() async throws {
    let environment = Environment.variables()
    let samples = try SampleFolder(chosen: feeds, environment: environment)
    let interrupt = Interrupt()
    let home = try DemoHome()
    defer { home.remove() }
    home.adopt()
    let feeds = try SampleFeeds(folder: samples.channels, at: Clock.now())
    try DemoCommand.follow(samples.list, in: home)
    HubPoll.run(.home(home.path), users: [], maximum: nil, samples: feeds, exports: { _, _ in })
    guard !interrupt.isSignalled() else { return }
    let listen = try listen ?? DemoCommand.freeAddress()
    print("metube-hub: sample data in \(home.path); Ctrl-C ends the demo and removes it")
    let server = try HubServer(options(home, listen, feeds, environment))
    try await server.run()
  }

  /// Follows the channels of an OPML file.
  private static func follow(_ list: String, in home: DemoHome) throws {
    let session = try Session(HubFiles.home(home.path).home(of: nil), reports: false)
    var problem: Failure?
    _ = try ImportRequest().reports(
      of: [ImportInput(path: list)], in: session, account: { _ in throw ExitStatus.usage }, report: { problem = $0 })
    if let problem { throw problem }
  }

  private func options(
    _ home: DemoHome, _ listen: ListenAddress, _ feeds: SampleFeeds, _ environment: [String: String]
  ) -> HubServer.Options {
    var page = PageSettings.youTube
    page.isSample = true
    var options = HubServer.Options(
      location: .files(.home(home.path)), listen: listen, publicURL: nil, proxies: [], polls: false, pollAddress: nil,
      timeout: .seconds(30), logsRequests: false, webSubHub: nil, page: page, takesApps: false, takesPushes: false,
      connections: 8, subscriptions: 10_000, wait: DatabaseWait(seconds: 0), end: ShutdownLimit.standard)
    options.samples = feeds
    if open {
      options.started = { port in
        let host = ["0.0.0.0", "::"].contains(listen.host) ? "127.0.0.1" : listen.host
        DemoBrowser.open("http://\(ListenAddress(host: host, port: port).authority(port: port))/", environment)
      }
    }
    return options
  }

  /// The usual port, or the next that is free.
  private static func freeAddress() throws -> ListenAddress {
    let ports = 5057..<5077
    for port in ports {
      guard LoopbackPort.isFree(UInt16(port)) else { continue }
      if port != ports.lowerBound { Program.report("port \(ports.lowerBound) is taken; using \(port)") }
      return ListenAddress(host: "127.0.0.1", port: port)
    }
    throw Failure(
      .temporaryFailure, "ports \(ports.lowerBound) to \(ports.upperBound - 1) are taken; choose one with --listen")
  }
}

/// The sample feeds.
struct SampleFolder {
  /// The OPML file.
  let list: String
  /// The folder of the feeds.
  let channels: String

  /// Of the option, else of `METUBE_RSS_DEMO`, else as installed beside the program, else of the sources around it. Throws
  /// if it is missing.
  init(chosen: String?, environment: [String: String]) throws {
    let named = chosen ?? environment["METUBE_RSS_DEMO"].flatMap { $0.isEmpty ? nil : $0 }
    let program = File.folder(of: File.absolute("/proc/self/exe"))
    let candidates =
      named.map { [($0, $0)] }
      ?? [("\(File.folder(of: program))/share/metube-rss/demo", nil)] + SampleFolder.sources(around: program)
    for (folder, lists) in candidates {
      let (list, channels) = ("\(lists ?? folder)/feeds.opml", "\(folder)/channels")
      guard File.exists(list), File.isFolder(channels) else { continue }
      (self.list, self.channels) = (list, channels)
      return
    }
    let hint = "give a folder with feeds.opml and channels/UC….xml with --feeds or METUBE_RSS_DEMO"
    throw Failure(.usage, "\(candidates[0].0): no sample feeds there; \(hint)")
  }

  /// `Fixtures/feeds` and the root of the sources that the program was built in, `.build/…/release`.
  private static func sources(around program: String) -> [(String, String?)] {
    let parts = program.split(separator: "/")
    guard let build = parts.firstIndex(of: ".build") else { return [] }
    let root = parts[..<build].map { "/\($0)" }.joined()
    return [("\(root)/Fixtures/feeds", root)]
  }
}

/// A temporary home.
struct DemoHome {
  let path: String

  /// `mkdtemp`.
  init() throws {
    var template = Array("\(Program.temporaryFolder)/metube-demo-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      let why = String(cString: strerror(errno))
      throw Failure(.disk, "\(Program.temporaryFolder): no temporary folder: \(why); name another one with TMPDIR")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes it the home of this process, without settings of the person, and without a network: what would ask YouTube
  /// for a page asks a closed port of this machine. `setenv`.
  func adopt() {
    for name in Environment.variables().keys where name.hasPrefix("METUBE_") { unsetenv(name) }
    let values = [
      ("METUBE_RSS_HOME", path), ("METUBE_RSS_FEEDS_URL", "http://127.0.0.1:9"),
      ("METUBE_RSS_API_URL", "http://127.0.0.1:9"), ("no_proxy", "*"), ("NO_PROXY", "*"),
    ]
    for (name, value) in values { setenv(name, value, 1) }
  }

  func remove() { Directory.removeAll(path) }
}

/// A browser of the person.
enum DemoBrowser {
  private static let programs = ["xdg-open", "sensible-browser", "x-www-browser"]

  /// Opens a page in a browser; without a screen or a browser, prints the address instead.
  static func open(_ page: String, _ environment: [String: String]) {
    let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    let nothing = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { if nothing >= 0 { close(nothing) } }
    let streams = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map { (ours: nothing, theirs: $0) }
    for program in programs where hasScreen && nothing >= 0 {
      if case .success = ChildProcess(arguments: [program, page], environment: environment).start(streams) { return }
    }
    Program.report("no browser was found; open \(page) yourself")
  }
}
