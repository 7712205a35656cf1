import FixtureServer
import Glibc
import TestSupport
import Testing

@testable import CLI
@testable import HubCore
@testable import HubWeb

/// The program itself in a terminal, by keys.
@Suite("browse in a terminal")
struct BrowseTests {
  private let sandbox: Sandbox
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    sandbox.environment["TERM"] = "xterm-256color"
  }

  private func start(_ arguments: String...) throws -> Running {
    let running = try sandbox.program.start(
      ["browse"] + arguments, output: .terminal(columns: 80), isInteractive: true)
    try eventually { try sent(running).contains("? help") || running.hasEnded }
    return running
  }

  /// Waits until a condition holds, two minutes at most; it may type.
  private func eventually(_ condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(120)
    while try !condition(), ContinuousClock.now < deadline { usleep(10_000) }
  }

  /// Everything that was sent to the terminal so far.
  private func sent(_ running: Running) throws -> String { String(decoding: running.sink.bytes(), as: UTF8.self) }

  /// What the screen shows: what is sent after Ctrl-L, because ncurses sends no text again that stands there already.
  private func screen(_ running: Running) throws -> String {
    try running.sink.type("\u{0c}")
    usleep(100_000)
    let text = try sent(running)
    return text.ranges(of: "\u{1b}[2J").last.map { String(text[$0.upperBound...]) } ?? text
  }

  /// Types keys and waits until something holds.
  private func type(_ keys: String, _ running: Running, until condition: () throws -> Bool) throws {
    try running.sink.type(keys)
    try eventually { try condition() || running.hasEnded }
    let last = try screen(running)
    #expect(try condition(), "\(keys): \(last)")
  }

  /// Waits until the screen shows a text.
  private func expect(_ text: String, _ running: Running) throws {
    try eventually { try screen(running).contains(text) || running.hasEnded }
    let last = try screen(running)
    #expect(last.contains(text), "\(text): \(last)")
  }

  /// Quits; the program must end well and have reported nothing else.
  private func quit(_ running: Running, reporting text: String = "") throws {
    try running.sink.type("q")
    let outcome = try running.finish()
    #expect(outcome.status == 0 && outcome.errors == text, "\(outcome.errors)")
    #expect(outcome.text.contains("\u{1b}[?1049l"), "the screen is left")
  }

  @Test("Keys make the events that the commands make, and undo takes them back")
  func marks() throws {
    try sandbox.follow(threeVideos)
    let running = try start()
    for video in threeVideos { try expect(video.title, running) }
    func events(_ kind: String, _ text: String...) -> Int {
      sandbox.events(kind).count { line in text.allSatisfy { line.contains($0) } }
    }
    try type("m", running) { events("statusSet", ids[0], "\"watched\"") == 1 }
    try type("x", running) { events("statusSet", ids[1], "\"skipped\"") == 1 }
    try type("s", running) { events("savedSet", ids[2], "true") == 1 }
    try type("s", running) { events("savedSet", ids[2], "false") == 1 }
    try type("z\u{15}3d\r", running) { events("statusSet", ids[2], "\"snoozed\"") == 1 }
    #expect(try sandbox.everything().map(\.status) == ["watched", "skipped", "snoozed"])
    try type("u", running) { try sandbox.everything().map(\.status) == ["watched", "skipped", "new"] }
    try type("uuuu", running) { try sandbox.everything().map(\.status) == ["new", "new", "new"] }
    // The same line as that of a command, apart from its ID, its time and its checksum.
    try type("gm", running) { events("statusSet", ids[0], "\"watched\"") == 2 }
    try sandbox.succeed("undo", "--yes")
    try sandbox.succeed("watched", ids[0])
    let lines = sandbox.events("statusSet").filter { $0.contains(ids[0]) && !$0.contains("undoes") }
    let contents = lines.suffix(2).map { $0.components(from: "\"video\"") }
    #expect(contents.count == 2 && contents[0] == contents[1])
    try quit(running)
  }

  @Test("Marks of another terminal appear by themselves")
  func otherTerminal() throws {
    try sandbox.follow(threeVideos)
    let running = try start()
    try expect("3 videos", running)
    try sandbox.succeed("watched", ids[1])
    try expect("2 videos", running)
    try quit(running)
  }

  @Test("Feeds that were not checked are counted above the list")
  func unchecked() throws {
    try sandbox.follow(threeVideos)
    try sandbox.follow(12)
    let failing = SyntheticChannel(number: 12)
    sandbox.server.serve(failing.id, .empty(status: 404))
    try sandbox.succeed("follow", failing.id)
    _ = try sandbox.run("poll", "--rate", "0")
    let running = try start()
    try expect("1 feed not checked", running)
    try quit(running)
  }

  @Test("r polls while the view stays usable, and shows what it found")
  func poll() throws {
    let channel = SyntheticChannel(number: 0)
    server(channel, threeVideos)
    try sandbox.succeed("follow", channel.id)
    let running = try start()
    try expect("Nothing polled yet", running)
    try running.sink.type("r")
    try expect("How to Tune a Bell", running)
    try type("", running) { sandbox.events("runFinished").count == 1 }
    try running.sink.type("!")
    try expect("1 feed checked: 3 new", running)
    try running.sink.type("q")
    try quit(running)
  }

  @Test("What a poll reports beyond one line is counted, and ! shows it")
  func moreLines() throws {
    let failing = SyntheticChannel(number: 0)
    sandbox.server.serve(failing.id, .empty(status: 404))
    try sandbox.succeed("follow", failing.id)
    let running = try start()
    try running.sink.type("r")
    try expect("1 failed (! shows 1 more line)", running)
    // What is reported while the messages are shown does not appear there.
    try running.sink.type("!")
    try expect("no other feed responded lately", running)
    try running.sink.type("q")
    try quit(running)
  }

  private func server(_ channel: SyntheticChannel, _ videos: [(id: String, title: String)]) {
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, videos).xml))
  }

  @Test("Quitting ends a running poll and keeps what it found")
  func quitWhilePolling() throws {
    try sandbox.follow(12)
    let running = try start()
    try type("r", running) { !sandbox.events("videoFound").isEmpty }
    try running.sink.type("q")
    let outcome = try running.finish()
    // It may have ended before.
    let text = "metube-rss: stopping the poll; what it found is kept\n"
    #expect(outcome.status == 0 && ["", text].contains(outcome.errors), "\(outcome.errors)")
    #expect(sandbox.events("runFinished").count == 1)
    #expect(try sandbox.poll("--force").failed == 0)
  }

  @Test("Enter gives the terminal to the player, and takes it back")
  func play() throws {
    try sandbox.follow(threeVideos)
    let file = sandbox.folder.path + "/played"
    sandbox.environment["METUBE_RSS_PLAYER"] = "sh -c 'echo \"$1\" >\(file)' sh {url}"
    let running = try start()
    try running.sink.type("j\r")
    try expect("opened: How to Tune a Bell", running)
    #expect(sandbox.folder.read("played").map { String(decoding: $0, as: UTF8.self).contains(ids[1]) } == true)
    try expect("Three Quiet Gears", running)
    try quit(running, reporting: "playing: How to Tune a Bell  \(ids[1])\n")
  }

  @Test("d shows the description, and filters narrow the list")
  func panels() throws {
    try sandbox.follow(threeVideos)
    let running = try start("--oldest")
    try running.sink.type("d")
    try expect("About Three Quiet Gears", running)
    try running.sink.type("q/lantern\r")
    try expect("1/1", running)
    try type("m", running) { sandbox.events("statusSet").contains { $0.contains(ids[0]) } }
    try running.sink.type("/\u{15}\"\"\r")
    try expect("--search: no words given", running)
    try running.sink.type("f")
    try expect("as set for each channel", running)
    // The first q leaves the panel.
    try running.sink.type("q")
    try quit(running)
    #expect(sandbox.events("statusSet").count == 1)
  }

  @Test("Keys that terminfo does not know do nothing, whatever letters they are made of")
  func unknownKeys() throws {
    try sandbox.follow(threeVideos)
    let running = try start()
    for sequence in ["\u{1b}[<0;10;6m", "\u{1b}[1;9m", "\u{1b}m", "\u{1b}Ox", "\u{1b}[20l", "\u{1b}[?62;c"] {
      try running.sink.type(sequence)
      usleep(300_000)
    }
    try running.sink.type("?")
    try expect("undo the last action", running)
    try running.sink.type("q")
    try quit(running)
    #expect(sandbox.events("statusSet").isEmpty && sandbox.events("savedSet").isEmpty)
  }

  @Test("The view follows the size of the terminal, down to one column")
  func sizes() throws {
    try sandbox.follow(threeVideos)
    let running = try start()
    for (rows, columns) in [(24, 40), (3, 10), (1, 1), (60, 250), (24, 80)] as [(UInt16, UInt16)] {
      try running.sink.resize(rows: rows, columns: columns)
      running.signal(SIGWINCH)
      try running.sink.type("jk")
      usleep(100_000)
    }
    try type("m", running) { sandbox.events("statusSet").count == 1 }
    try quit(running)
  }

  @Test("A signal leaves the terminal as it was", arguments: [SIGINT, SIGTERM, SIGHUP])
  func signals(number: Int32) throws {
    try sandbox.follow(threeVideos)
    let running = try start()
    let raw = try running.sink.modes()
    running.signal(number)
    let outcome = try running.finish()
    #expect(outcome.status == nil && outcome.text.contains("\u{1b}[?1049l"))
    #expect(try running.sink.modes()[3] & UInt32(ECHO | ICANON) == UInt32(ECHO | ICANON))
    #expect(raw[3] & UInt32(ECHO | ICANON) == 0)
  }

  @Test("Stopped by Ctrl-Z, it gives the terminal back, and draws the screen anew when it goes on")
  func stopped() throws {
    try sandbox.follow(threeVideos)
    let running = try start()
    let begin = "\u{1b}[?1049h"
    running.signal(SIGTSTP)
    try eventually { try sent(running).contains("\u{1b}[?1049l") }
    // Where nothing could continue the process, the kernel does not stop it.
    try eventually {
      running.signal(SIGCONT)
      return try sent(running).ranges(of: begin).count == 2
    }
    #expect(try sent(running).ranges(of: begin).count == 2)
    let marking = try sent(running)
    let off = marking.ranges(of: "\u{1b}[?2004l")
    #expect(off.count == 1 && off.first.map { marking[$0.upperBound...].contains("\u{1b}[?2004h") } == true)
    try type("m", running) { sandbox.events("statusSet").count == 1 }
    try quit(running)
  }

  @Test("What is pasted acts as no key: in the search it is its text, elsewhere it is ignored")
  func paste() throws {
    try sandbox.follow(threeVideos)
    let running = try start()
    #expect(try sent(running).contains("\u{1b}[?2004h"))
    func paste(_ text: String) throws { try running.sink.type("\u{1b}[200~\(text)\u{1b}[201~") }
    try paste("mxsurq\rZZ\u{1b}[A\u{1b}x日本")
    try expect("pasted text is ignored", running)
    try running.sink.type("/")
    try expect("search:", running)
    try paste("Tune\ta\n\u{7}Be\u{1b}[20lq")
    try running.sink.type("\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}")
    try expect("search: Tune a Be", running)
    try type("\r", running) { try screen(running).contains("1 video") }
    // In two parts, as over a slow line.
    try running.sink.type("\u{1b}[200~mmm")
    usleep(200_000)
    try running.sink.type("mqq\u{1b}[201")
    usleep(200_000)
    try running.sink.type("~")
    try expect("pasted text is ignored", running)
    #expect(sandbox.events("statusSet").isEmpty && sandbox.events("savedSet").isEmpty)
    try running.sink.type("q")
    let outcome = try running.finish()
    let text = outcome.text
    let off = try #require(text.ranges(of: "\u{1b}[?2004l").last)
    #expect(outcome.status == 0 && text.ranges(of: "\u{1b}[?2004h").allSatisfy { $0.upperBound <= off.lowerBound })
  }

  @Test("A signal that ends it switches the marking of pastes off")
  func pasteEnds() throws {
    try sandbox.follow(threeVideos)
    let running = try start()
    running.signal(SIGTERM)
    let outcome = try running.finish()
    #expect(outcome.text.ranges(of: "\u{1b}[?2004l").count == 1)
  }

  @Test("The end of the terminal ends it")
  func hangUp() throws {
    try sandbox.follow(threeVideos)
    let running = try start()
    running.sink.hangUp()
    try eventually { running.hasEnded }
    #expect(running.hasEnded)
    _ = try running.finish()
  }

  @Test("Without a terminal, or with one that cannot show a screen, it says so and ends with 64")
  func refused() throws {
    let pipe = try sandbox.run("browse")
    #expect(pipe.status == 64 && pipe.output.isEmpty && pipe.errors.contains("browse needs a terminal"))
    #expect(try sandbox.run("browse", output: .terminal(columns: 80)).status == 64)
    for terminal in ["dumb", "", "no-such-terminal"] {
      sandbox.environment["TERM"] = terminal
      let outcome = try sandbox.program.run(["browse"], output: .terminal(columns: 80), isInteractive: true)
      #expect(outcome.status == 64 && outcome.output.isEmpty, "\(terminal)")
      #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains("set TERM"), "\(terminal)")
    }
  }

  @Test("A wrong option is reported before the screen changes")
  func wrongOptions() throws {
    try sandbox.follow(threeVideos)
    for (arguments, complaint) in [(["--tag", "x"], "no channel has the tag"), (["--since", "x"], "is not a time")] {
      let outcome = try sandbox.program.run(["browse"] + arguments, output: .terminal(columns: 80), isInteractive: true)
      #expect(outcome.status != 0 && outcome.output.isEmpty && outcome.errors.contains(complaint), "\(outcome)")
    }
    #expect(try sandbox.run("browse", "--oldest", "--mix").status == 64)
  }

  @Test("Whatever the filters are set to, list takes it")
  func filterWords() throws {
    try sandbox.follow(threeVideos)
    for field in BrowseFilters.Field.allCases {
      var filters = BrowseFilters()
      for _ in 0..<6 {
        filters.step(field, by: 1)
        #expect(try sandbox.program.run(["list"] + filters.arguments).status == 0, "\(filters.arguments)")
      }
    }
  }

  @Test("Hostile titles send no escape sequence of theirs")
  func hostile() throws {
    try sandbox.follow([(id: "aaaaaaaaaaA", title: "Bell \u{9b}31m \u{202e}evil"), (id: "bbbbbbbbbbE", title: "日本語 👩‍🔧")])
    let running = try start()
    try expect("日本語", running)
    try running.sink.type("d")
    try expect("listed", running)
    let text = try sent(running)
    #expect(!text.contains("\u{9b}") && !text.contains("\u{202e}"))
    try running.sink.type("q")
    try quit(running)
  }
}

extension String {
  /// The text from another text on, without the checksum at the end of a line; nil if the other does not occur.
  fileprivate func components(from other: String) -> Substring? {
    guard let start = firstRange(of: other)?.lowerBound, let end = ranges(of: ",\"c\":").last?.lowerBound else {
      return nil
    }
    return self[start..<end]
  }
}
