import App
import Core
import Glibc
import JSON
import Platform

/// The program that plays a video: `METUBE_RSS_PLAYER`, else mpv, else the desktop's URL opener.
///
/// Runs without a shell: the URL is one argument, whatever it contains.
struct Player {
  /// The program and its arguments.
  let arguments: [String]
  /// Whether it is known to hand the URL on and report nothing, as browsers do.
  let handsOn: Bool
  /// The folder where mpv saves the playback position; nil for other players.
  let positions: String?
  /// Whether it is the desktop's opener because no setting names a player and mpv is missing.
  let isFallback: Bool

  /// What to do to get a player.
  static let advice = "Install mpv, or set METUBE_RSS_PLAYER to a player"

  /// The player for a URL, starting at `start` seconds. `file` is the URL that players get instead of the page, but not
  /// browsers; nil without a file. `setting` is `METUBE_RSS_PLAYER`: words quoted as in a shell, with placeholders `{url}`
  /// and `{start}`; without `{url}` the URL comes last. `home` replaces `~`.
  /// `speed` is for mpv alone, `1` for as recorded.
  init(
    for page: String, file: String?, from start: Int, setting: String?, path: String, home: String?, cache: String,
    speed: String
  ) throws {
    isFallback = setting == nil && !Player.isInstalled("mpv", path)
    let usual = [("mpv", "mpv -- {url}"), ("xdg-open", "xdg-open {url}")].first { Player.isInstalled($0.0, path) }
    guard let setting = setting ?? usual?.1 else {
      throw Failure(.usage, "no player found. \(Player.advice), for example: vlc --play-and-exit {url}")
    }
    guard let split = ShellWords.split(setting, home: home) else {
      throw Failure(.usage, "METUBE_RSS_PLAYER: unclosed quote")
    }
    if let unknown = Player.unknownPlaceholder(in: setting) {
      throw Failure(.usage, "METUBE_RSS_PLAYER: unknown placeholder {\(unknown)}; use {url} and {start}")
    }
    guard let program = split.first.map({ Player.replaced($0, page, start) }) else {
      throw Failure(.usage, "METUBE_RSS_PLAYER is empty; name a program")
    }
    let name = program.split(separator: "/").last.map(String.init) ?? program
    let url = Player.browsers.contains(name) ? page : file ?? page
    let command = split.map { Player.replaced($0, url, start) }
    positions = name == "mpv" ? "\(cache)/positions.\(getpid())" : nil
    var options = positions.map { Player.positionOptions($0, setting.contains("{start}") ? nil : start) } ?? []
    if positions != nil, speed != "1" { options.append("--speed=\(speed)") }
    let others = command.dropFirst() + (setting.contains("{url}") ? [] : [url])
    arguments = [program] + options + others
    handsOn = Player.browsers.contains(name)
  }

  /// The mpv options to begin at `start`, report how playback ends, and save the position in `folder`.
  private static func positionOptions(_ folder: String, _ start: Int?) -> [String] {
    let tells = ["--save-position-on-quit", "--watch-later-directory=\(folder)", "--watch-later-options=start"]
    return [PlayerProtocol.option] + tells + (start.map { ["--start=\($0)"] } ?? [])
  }

  /// Browsers, and programs that pass a URL to one.
  private static let browsers: Set<String> = [
    "xdg-open", "gio", "exo-open", "kde-open", "kde-open5", "wslview", "open", "handlr", "sensible-browser",
    "x-www-browser", "www-browser", "firefox", "firefox-esr", "librewolf", "waterfox", "chromium", "chromium-browser",
    "google-chrome", "google-chrome-stable", "microsoft-edge", "brave", "brave-browser", "vivaldi", "vivaldi-stable",
    "opera", "epiphany", "epiphany-browser", "falkon", "konqueror", "qutebrowser",
  ]

  /// The first word in braces that is neither `url` nor `start`; nil if none.
  private static func unknownPlaceholder(in setting: String) -> Substring? {
    setting.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
      .compactMap { part in part.firstIndex(of: "}").map { part[..<$0] } }
      .first { !$0.isEmpty && $0.allSatisfy(\.isLetter) && $0 != "url" && $0 != "start" }
  }

  private static func replaced(_ word: String, _ url: String, _ start: Int) -> String {
    var rest = word[...]
    var text = ""
    while let brace = rest.firstIndex(of: "{") {
      text += rest[..<brace]
      rest = rest[brace...]
      if rest.hasPrefix("{url}") {
        text += url
        rest = rest.dropFirst(5)
      } else if rest.hasPrefix("{start}") {
        text += String(start)
        rest = rest.dropFirst(7)
      } else {
        text.append(rest.removeFirst())
      }
    }
    return text + rest
  }

  private static func isInstalled(_ program: String, _ path: String) -> Bool {
    path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }
}

// MARK: Playing

extension Player {
  /// How playback ended.
  enum Outcome: Equatable {
    case ended
    /// Apparently handed on to a program that reports nothing.
    case opened
    /// Stopped before the end, at this many seconds of so many, if known.
    case left(Int?, of: Double?)
    /// The program failed with this exit status; nil if killed by a signal.
    case failed(Int32?)
  }

  /// Plays and waits until the player exits.
  func play() throws -> Outcome {
    let start = Clock.steady()
    let (end, talk) = try run()
    let (report, duration) = (talk?.ending, talk?.duration)
    let lasted = Clock.steady() - start
    let position = positions.flatMap(Player.takePosition)
    // On Ctrl-C or a signal mpv exits with status 4 after saving the position as usual.
    if report == .leftByPerson { return .left(position, of: duration) }
    guard case .exited(let status) = end else {
      return position.map { .left($0, of: duration) } ?? .failed(nil)
    }
    if report == .reachedEnd { return .ended }
    guard status == 0 else { return position.map { .left($0, of: duration) } ?? .failed(status) }
    // If mpv reported nothing, it may not even have started.
    guard positions == nil else { return .left(position, of: duration) }
    return handsOn || lasted < Player.leastPlayed ? .opened : .ended
  }

  /// A program that exits within this many milliseconds played nothing: it handed the URL on.
  private static let leastPlayed = 2000

  /// Runs the player; returns how it ended, and what mpv reported; nil of another program.
  private func run() throws -> (ChildProcess.Ending, PlayerProtocol?) {
    // Ctrl-C is for the player; its reaction shows how playback ended.
    let interrupt = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, interrupt) }
    let line = positions == nil ? nil : PlayerProtocol.line()
    defer { if let line { close(line.ours) } }
    let child = ChildProcess(arguments: arguments, environment: Environment.withoutSecrets())
    let started = child.start(line.map { [($0.theirs, PlayerProtocol.descriptor)] } ?? [])
    if let line { close(line.theirs) }
    let process: pid_t
    do { process = try started.get() } catch {
      throw Failure(.usage, "\(arguments[0]): \(String(cString: strerror(error.code))); see METUBE_RSS_PLAYER")
    }
    var ending: ChildProcess.Ending?
    var talk = PlayerProtocol()
    if let line {
      talk.listen(at: line.ours) {
        ending = ChildProcess.ending(of: process)
        return ending != nil
      }
    }
    return (ending ?? ChildProcess.wait(for: process), line == nil ? nil : talk)
  }

  /// The position in the file that mpv saved in `folder`: `start=754.250000`. Removes the folder.
  private static func takePosition(_ folder: String) -> Int? {
    defer { rmdir(folder) }
    var seconds: Int?
    for name in File.names(in: folder) {
      let path = "\(folder)/\(name)"
      // Treat an unreadable position as none.
      guard name != ".", name != "..", let bytes = try? File.read(path, limit: 65_536) else { continue }
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("start=") {
        seconds = Double(line.dropFirst(6)).flatMap { (0...1_000_000).contains($0) ? Int($0) : nil } ?? seconds
      }
      unlink(path)
    }
    return seconds
  }
}

/// How mpv reports the end of a file, over its JSON IPC (mpv(1)), one object per line.
///
/// `{"event":"end-file","reason":"eof","playlist_entry_id":1}`. The exit status shows an error, but does not tell the
/// end of a video from a user who quit while it was loading, or who left a stream without positions.
struct PlayerProtocol {
  /// Why the last file ended; nil if mpv reported nothing.
  private(set) var ending: Ending?
  /// The length of the last file, seconds; nil if mpv knows none.
  private(set) var duration: Double?
  private var waitsAtEnd = false
  private var line: [UInt8] = []

  /// Why a file ended.
  enum Ending: Equatable { case reachedEnd, leftByPerson, failed }

  /// Parses the next bytes from mpv.
  mutating func hear(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      if let said = JSONValue(line) { take(said) }
      line.removeAll(keepingCapacity: true)
    }
  }

  private mutating func take(_ said: JSONValue) {
    switch said["event"]?.text {
    case "property-change" where said["name"]?.text == "duration":
      // It is null while a file is closed.
      if case .number(let seconds)? = said["data"], seconds > 0 { duration = seconds }
    case "property-change": waitsAtEnd = said["data"] == .boolean(true)
    case "end-file":
      switch said["reason"]?.text {
      case "eof": ending = .reachedEnd
      // With --keep-open mpv waits at the end until the user quits.
      case "quit", "stop": ending = waitsAtEnd ? .reachedEnd : .leftByPerson
      case "error": ending = .failed
      default: break
      }
    default: break
    }
  }
}

// MARK: The socket to mpv

extension PlayerProtocol {
  /// The socket's descriptor in the mpv process.
  static let descriptor: Int32 = 3
  /// The mpv option that names it.
  static let option = "--input-ipc-client=fd://\(descriptor)"
  private static let question = """
    {"command":["observe_property",1,"eof-reached"]}
    {"command":["observe_property",2,"duration"]}

    """

  /// A socket pair with the request already written to our end; nil on failure. Both are close-on-exec. `socketpair`.
  static func line() -> (ours: Int32, theirs: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &ends) == 0 else { return nil }
    _ = question.utf8.withContiguousStorageIfAvailable { write(ends[0], $0.baseAddress, $0.count) }
    return (ends[0], ends[1])
  }

  /// Listens until mpv hangs up or `isOver`, polled every second: a child of mpv might keep the socket open.
  mutating func listen(at descriptor: Int32, until isOver: () -> Bool) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var over = false
    while true {
      var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&question, 1, over ? 0 : 1000)
      if ready < 0, errno == EINTR { continue }
      if ready <= 0 {
        if over { return }
        over = isOver()
        continue
      }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      hear(buffer[..<count])
    }
  }
}
