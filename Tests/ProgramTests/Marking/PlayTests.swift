import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("play")
struct PlayTests {
  private let sandbox: Sandbox
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  /// Installs a program instead of another, first in the path.
  private func install(_ name: String, _ script: String) {
    let path = sandbox.folder.write("#!/bin/sh\n\(script)\n".utf8, to: "bin/\(name)")
    chmod(path, 0o700)
    sandbox.environment["PATH"] = "\(sandbox.folder.path)/bin:/usr/bin:/bin"
  }

  private func status(of id: String) throws -> String? { try sandbox.everything().first { $0.video == id }?.status }

  @Test("The player gets the URL as one argument without a shell; the video is watched if it exits successfully")
  func ends() throws {
    install("player", #"for word in "$@"; do echo "<$word>"; done; sleep 2.2"#)
    sandbox.environment["METUBE_RSS_PLAYER"] = "player --at={start} {url} '$(id)' ';ls'"
    let outcome = try sandbox.run("play", ids[0])
    #expect(outcome.status == 0)
    let arguments = ["--at=0", "https://www.youtube.com/watch?v=\(ids[0])", "$(id)", ";ls"]
    #expect(outcome.lines == arguments.map { "<\($0)>" } + ["watched: A Lantern in March  \(ids[0])"])
    #expect(try status(of: ids[0]) == "watched")
  }

  @Test("An unknown placeholder is refused, not passed on")
  func placeholder() throws {
    install("player", "exit 0")
    sandbox.environment["METUBE_RSS_PLAYER"] = "player {bogus} {url}"
    let outcome = try sandbox.run("play", ids[0])
    #expect(outcome.status == 64 && outcome.errors.contains("unknown placeholder {bogus}; use {url} and {start}"))
  }

  @Test("A failing or missing player marks nothing")
  func fails() throws {
    install("player", "exit 3")
    sandbox.environment["METUBE_RSS_PLAYER"] = "player"
    let outcome = try sandbox.run("play", ids[0])
    #expect(outcome.status == 1 && outcome.errors.contains("player failed (3); nothing was marked"))
    install("player", "kill -9 $$")
    #expect(try sandbox.run("play", ids[0]).status == 1)
    sandbox.environment["METUBE_RSS_PLAYER"] = "no-such-player {url}"
    #expect(try sandbox.run("play", ids[0]).status == 64)
    #expect(try status(of: ids[0]) == "new" && sandbox.events("progressSet").isEmpty)
  }

  @Test("The player's exit status is known even if the parent ignored its children's exits")
  func ignoredChildren() throws {
    install("player", "exit 3")
    sandbox.environment["METUBE_RSS_PLAYER"] = "player"
    var shell = sandbox.program
    let path = shell.path
    shell.path = "/bin/sh"
    let outcome = try shell.run(["-c", "trap '' CHLD; exec \(path) play \(ids[0])"])
    #expect(outcome.status == 1 && outcome.errors.contains("player failed (3); nothing was marked"))
    #expect(try status(of: ids[0]) == "new")
  }

  @Test("mpv quit halfway stores the position and resumes there; at the end the video is watched")
  func position() throws {
    install(
      "mpv",
      """
      for word in "$@"; do case "$word" in
        --watch-later-directory=*) folder="${word#*=}" ;;
        --start=*) echo "from ${word#*=}" ;;
      esac; done
      if [ -e "$METUBE_RSS_HOME/finish" ]; then \(says("eof")); exit; fi
      mkdir -p "$folder"; echo "start=754.25" > "$folder/0123"; \(says("quit"))
      """)
    #expect(try sandbox.run("play", ids[1]).lines == ["from 0", "left at 12:34: How to Tune a Bell  \(ids[1])"])
    #expect(try status(of: ids[1]) == "new")
    sandbox.folder.write([], to: "finish")
    #expect(try sandbox.run("play", ids[1]).lines.first == "from 754")
    #expect(try status(of: ids[1]) == "watched")
    #expect(sandbox.events("progressSet").last?.contains("\"seconds\":0") == true)
    #expect(!sandbox.folder.names(in: "cache").contains { $0.hasPrefix("positions") })
    try sandbox.succeed("undo")
    #expect(try status(of: ids[1]) == "new")
    #expect(sandbox.events("progressSet").last?.contains("\"seconds\":754") == true)
  }

  @Test("mpv reports its position even if the user configured it with options of their own")
  func named() throws {
    install(
      "mpv",
      """
      for word in "$@"; do case "$word" in
        --watch-later-directory=*) folder="${word#*=}" ;;
        --input-ipc-client=*) ;;
        *) echo "<$word>" ;;
      esac; done
      mkdir -p "$folder"; echo "start=61" > "$folder/0123"
      """)
    sandbox.environment["METUBE_RSS_PLAYER"] = "\(sandbox.folder.path)/bin/mpv --fs {url}"
    let outcome = try sandbox.run("play", ids[1])
    #expect(
      Array(outcome.lines.suffix(3))
        == ["<--fs>", "<https://www.youtube.com/watch?v=\(ids[1])>"]
        + ["left at 1:01: How to Tune a Bell  \(ids[1])"])
    sandbox.environment["METUBE_RSS_PLAYER"] = "mpv --start={start} {url}"
    #expect(try sandbox.run("play", ids[1]).lines.filter { $0.hasPrefix("<--start") } == ["<--start=61>"])
  }

  @Test("mpv quit while loading, or in a stream without positions, marks nothing")
  func quitWithoutPosition() throws {
    install("mpv", says("quit"))
    let outcome = try sandbox.run("play", ids[0])
    #expect(outcome.status == 0)
    #expect(
      outcome.lines == ["not finished: A Lantern in March  \(ids[0]); metube-rss watched \(ids[0]) marks it"])
    install("mpv", "exit 0")
    #expect(try sandbox.run("play", ids[0]).text.hasPrefix("not finished"))
    #expect(try status(of: ids[0]) == "new" && sandbox.events("progressSet").isEmpty)
  }

  @Test("mpv paused at the end, as with --keep-open, has played the video")
  func keptOpen() throws {
    install(
      "mpv", leaving(at: "1200.5", saying: [#"{"event":"property-change","id":1,"name":"eof-reached","data":true}"#]))
    #expect(try sandbox.run("play", ids[1]).text.hasPrefix("watched: How to Tune a Bell"))
    #expect(try status(of: ids[1]) == "watched")
  }

  @Test("A video left at the preferred share of the length that mpv reports is watched, before it is not")
  func watchedAt() throws {
    let length = #"{"event":"property-change","id":2,"name":"duration","data":1000.5}"#
    install("mpv", leaving(at: "899", saying: [length]))
    #expect(try sandbox.run("play", ids[1]).text.hasPrefix("left at 14:59: How to Tune a Bell"))
    install("mpv", leaving(at: "901", saying: [length]))
    #expect(try sandbox.run("play", ids[1]).text.hasPrefix("watched: How to Tune a Bell"))
    #expect(try status(of: ids[1]) == "watched")
    try sandbox.succeed("preferences", "set", "watched-at", "30s")
    #expect(try sandbox.run("play", ids[0]).text.hasPrefix("left at 15:01"))
    install("mpv", leaving(at: "971", saying: [length]))
    #expect(try sandbox.run("play", ids[0]).text.hasPrefix("watched: A Lantern in March"))
    // Without a length nothing is known of the end.
    install("mpv", leaving(at: "971", saying: []))
    #expect(try sandbox.run("play", ids[0]).text.hasPrefix("left at 16:11"))
  }

  @Test("mpv plays at the preferred speed, a channel's before that of all")
  func speed() throws {
    install("mpv", "for word in \"$@\"; do case \"$word\" in --speed=*) echo \"<$word>\" ;; esac; done")
    #expect(try !sandbox.run("play", ids[1]).text.contains("<--speed"))
    try sandbox.succeed("preferences", "set", "speed", "1.50")
    #expect(try sandbox.run("play", ids[1]).lines.contains("<--speed=1.5>"))
    let channel = try #require(try sandbox.everything().first?.channel)
    try sandbox.succeed("preferences", "set", "speed", "2", "--channel", channel)
    #expect(try sandbox.run("play", ids[1]).lines.contains("<--speed=2>"))
  }

  @Test("mpv ended by Ctrl-C, with status 4, has reported its position")
  func interrupted() throws {
    install("mpv", leaving(at: "61.9", saying: []) + "\nexit 4")
    let outcome = try sandbox.run("play", ids[1])
    #expect(outcome.status == 0 && outcome.lines == ["left at 1:01: How to Tune a Bell  \(ids[1])"])
  }

  @Test("mpv that cannot open the video, with status 2, marks nothing")
  func unopened() throws {
    install("mpv", says("error") + "\nexit 2")
    let outcome = try sandbox.run("play", ids[1])
    #expect(outcome.status == 1 && outcome.errors.contains("mpv failed (2); nothing was marked"))
    #expect(try status(of: ids[1]) == "new")
  }

  @Test("mpv that fails after reporting its position keeps the position")
  func failedLate() throws {
    install("mpv", leaving(at: "90", saying: []).replacing("quit", with: "error") + "\nexit 2")
    #expect(try sandbox.run("play", ids[1]).lines == ["left at 1:30: How to Tune a Bell  \(ids[1])"])
  }

  /// The line mpv 0.35 prints when a file ends, with the reason.
  private func says(_ reason: String) -> String {
    #"echo '{"event":"end-file","reason":"\#(reason)","playlist_entry_id":1}' >&3"#
  }

  /// A fake mpv that prints some lines and quits at a position.
  private func leaving(at position: String, saying lines: [String]) -> String {
    """
    for word in "$@"; do case "$word" in --watch-later-directory=*) folder="${word#*=}" ;; esac; done
    \(lines.map { "echo '\($0)' >&3" }.joined(separator: "\n"))
    mkdir -p "$folder"; echo "start=\(position)" > "$folder/0123"; \(says("quit"))
    """
  }

  @Test("A browser takes the URL and reports nothing, so nothing is marked")
  func browser() throws {
    install("xdg-open", "exit 0")
    sandbox.environment["PATH"] = "\(sandbox.folder.path)/bin"
    #expect(try sandbox.run("play", ids[2]).text.hasPrefix("opened: Three Quiet Gears"))
    #expect(try status(of: ids[2]) == "new")
  }

  @Test(
    "A browser given by its path marks nothing, nor does any program that exits at once",
    arguments: ["xdg-open", "firefox", "player"])
  func handsOn(name: String) throws {
    install(name, name == "player" ? "exit 0" : "sleep 2.2")
    sandbox.environment["METUBE_RSS_PLAYER"] = "'\(sandbox.folder.path)/bin/\(name)'\t{url}"
    #expect(try sandbox.run("play", ids[2]).text.hasPrefix("opened: Three Quiet Gears"))
    #expect(try status(of: ids[2]) == "new")
  }

  @Test("Several videos are played one after another until one is not finished; --next plays the first that is new")
  func several() throws {
    install("player", #"echo "<$1>"; case $1 in *\#(ids[2])) exit 3 ;; esac; sleep 2.2"#)
    sandbox.environment["METUBE_RSS_PLAYER"] = "player"
    #expect(try sandbox.run("play", "--next").errors.contains("no numbered table yet"))
    _ = try sandbox.run("list", output: .terminal(columns: 80))
    let two = try sandbox.run("play", "1-3")
    #expect(two.status == 1 && two.lines.count { $0.hasPrefix("<") } == 3, "\(two.text)")
    #expect(try status(of: ids[0]) == "watched" && status(of: ids[1]) == "watched" && status(of: ids[2]) == "new")
    install("player", #"echo "<$1>"; sleep 2.2"#)
    let next = try sandbox.run("play", "--next")
    #expect(next.status == 0 && next.text.contains("watched: Three Quiet Gears"))
    let none = try sandbox.run("play", "--next")
    #expect(none.status == 1 && none.errors.contains("nothing in the last list is still new"))
    #expect(try sandbox.run("play").status == 64 && sandbox.run("play", "--next", "1").status == 64)
  }

  @Test("One undo reverts the effects of all videos of a command")
  func undo() throws {
    install("player", "sleep 2.2")
    sandbox.environment["METUBE_RSS_PLAYER"] = "player"
    _ = try sandbox.run("play", ids[0], ids[1])
    #expect(try status(of: ids[0]) == "watched" && status(of: ids[1]) == "watched")
    try sandbox.succeed("skip", ids[2])
    try sandbox.succeed("undo")
    #expect(try sandbox.succeed("undo").hasPrefix("undone: 2 marks (2 changes)\n"))
    #expect(try ids.map { try status(of: $0) } == ["new", "new", "new"])
  }

  @Test("Without mpv the browser opens the video, and the message says what to install or set")
  func withoutPlayer() throws {
    install("xdg-open", "exit 3")
    sandbox.environment["PATH"] = "\(sandbox.folder.path)/bin"
    let outcome = try sandbox.run("play", ids[2])
    #expect(outcome.status == 1 && outcome.errors.hasPrefix("metube-rss: mpv is not installed; opening the browser."))
    #expect(outcome.errors.contains("nothing was marked. Install mpv, or set METUBE_RSS_PLAYER"))
    sandbox.environment["METUBE_RSS_PLAYER"] = "xdg-open {url}"
    #expect(try !sandbox.run("play", ids[2]).errors.contains("mpv"))
  }

  @Test("A video that no feed has shown can be played, and is remembered as watched")
  func unseen() throws {
    install("player", #"echo "<$1>"; sleep 2.2"#)
    sandbox.environment["METUBE_RSS_PLAYER"] = "player"
    let outcome = try sandbox.run("play", "https://youtu.be/dQw4w9WgXcQ")
    #expect(outcome.status == 0 && outcome.lines.first == "<https://www.youtube.com/watch?v=dQw4w9WgXcQ>")
    #expect(try sandbox.succeed("history", "--format", "ids") == "dQw4w9WgXcQ\n")
  }
}
