import TestSupport
import Testing

@Suite("Confirmation and limits of undo")
struct UndoTests {
  private let sandbox: Sandbox
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  /// The program on another device that shares the log folder.
  private var other: Program {
    var program = sandbox.program
    program.environment["METUBE_RSS_HOME"] = nil
    let home = sandbox.folder.path + "/other"
    for (name, folder) in [("STATE", "state"), ("CACHE", "cache"), ("CONFIG", "config")] {
      program.environment["XDG_\(name)_HOME"] = "\(home)/\(folder)"
    }
    program.environment["XDG_DATA_HOME"] = home
    return program
  }

  /// Gives the other device the same logs.
  private func synchronise() throws {
    sandbox.folder.write([], to: "other/metube-rss/.kept")
    var link = sandbox.program
    link.path = "/bin/ln"
    #expect(
      try link.run(["-s", sandbox.folder.path + "/log", sandbox.folder.path + "/other/metube-rss/log"]).status == 0)
  }

  @Test("An action that another device has overwritten is reported and skipped once, and nothing before it is touched")
  func overwritten() throws {
    try synchronise()
    try sandbox.succeed("watched", ids[0])
    #expect(try other.run(["skip", ids[0]]).status == 0)
    let first = try sandbox.run("undo")
    #expect(first.status == 1 && first.text.isEmpty)
    #expect(
      first.errors
        == "metube-rss: your last action (1 mark) was overridden by another device; nothing to undo\n")
    #expect(try sandbox.succeed("channels", "--format", "ids") != "")
    #expect(try sandbox.everything().map(\.status) == ["skipped", "new", "new"])
    let second = try sandbox.run("undo")
    #expect(second.status == 64 && second.errors.contains("Undo 1 follow made just now ("))
    #expect(try sandbox.run("log", "verify").status == 0)
  }

  @Test("Nothing is unfollowed without confirmation")
  func unfollowing() throws {
    let log = sandbox.log
    let outcome = try sandbox.run("undo")
    #expect(outcome.status == 64 && outcome.errors.contains("Cannot ask without a terminal; use --yes"))
    #expect(sandbox.log == log)
    #expect(try sandbox.succeed("undo", "--yes").hasPrefix("undone: 1 follow (1 change)\n"))
    #expect(try sandbox.succeed("channels", "--format", "ids").isEmpty)
  }

  @Test("Twenty changes are undone at once, more only with confirmation")
  func many() throws {
    let videos = "abcdefghijklmnopqrstu".map { (id: "manyvideo\($0)A", title: "Video \($0)") }
    try sandbox.follow(videos)
    try sandbox.program.run(["skip"] + videos.map(\.id)).check()
    let outcome = try sandbox.run("undo")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors.contains("Undo 21 marks made just now (Video a, Video b, Video c and 18 more)?"))
    try sandbox.succeed("undo", "--yes")
    try sandbox.program.run(["skip"] + videos.dropLast().map(\.id)).check()
    #expect(try sandbox.succeed("undo").hasPrefix("undone: 20 marks (20 changes)\n"))
  }

  @Test("At the limit of undo, it says how far back it goes")
  func limit() throws {
    for number in 0..<100 { try sandbox.succeed("note", ids[0], "note \(number)") }
    for _ in 0..<100 { try sandbox.succeed("undo") }
    let outcome = try sandbox.run("undo")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "metube-rss: the last 100 actions on this device are undone; undo goes no further back\n")
  }
}

extension Program.Outcome {
  /// Records a test failure if the status is not 0.
  fileprivate func check() throws { #expect(status == 0, "\(errors)") }
}
