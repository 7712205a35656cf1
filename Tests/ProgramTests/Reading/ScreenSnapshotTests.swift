import FixtureServer
import Glibc
import Testing

/// Whole screens against golden files in `Fixtures/screens`, with titles in wide, right-to-left and pictographic
/// scripts. `METUBE_RSS_RECORD=1` records them anew; review them before keeping them.
@Suite("Recorded screens")
struct ScreenSnapshotTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    let (garden, workshop) = (SyntheticChannel(number: 0), SyntheticChannel(number: 1))
    let videos = [
      (id: "aaaaaaaaaaA", title: "日本語の長い題名：静かな庭を歩く、雨の日の京都と古い時計の話、その二"),
      (id: "bbbbbbbbbbE", title: "جولة في حديقة هادئة"),
      (id: "ccccccccccI", title: "👩‍🔧 Fixing a clock 🕰️ in Köln"),
      (id: "ddddddddddM", title: "A Long Walk Through the Hills, with Every Bridge and Every Stile on the Way Named"),
      (id: "eeeeeeeeeeQ", title: "Small Lamp"),
    ]
    let newest = 1_700_000_000
    sandbox.server.serve(garden.id, .feed(FixtureFeed.of(garden, videos, newest: newest).xml))
    sandbox.server.serve(
      workshop.id,
      .feed(FixtureFeed.of(workshop, [(id: "-fffffffffU", title: "Зимняя мастерская")], newest: newest).xml))
    try sandbox.succeed("follow", garden.id, "--tag", "静けさ", "--tag", "gardens")
    try sandbox.succeed("follow", workshop.id)
    _ = try sandbox.poll()
    try sandbox.succeed("channel", "set", garden.id, "--title", "静かな庭の散歩", "--live", "hide", "--order", "oldest")
    try sandbox.succeed("save", "ccccccccccI")
    try sandbox.succeed(
      "note", "ccccccccccI", "بعد العشاء, with Ann, and not before the long evenings of spring are here")
    try sandbox.succeed("snooze", "3d", "eeeeeeeeeeQ")
    try sandbox.succeed("watched", "-fffffffffU", "bbbbbbbbbbE")
    try sandbox.succeed("collection", "add", "時計 🕰️", "ccccccccccI", "aaaaaaaaaaA")
    try sandbox.succeed("rule", "add", "block", "--contains", "bridge", "--tag", "静けさ", "--older-than", "90d")
    try sandbox.succeed("rule", "add", "allow", "--matches", "^small|هادئة$", "--in", "title")
  }

  @Test(
    "Every screen matches its golden file, at every width",
    arguments: [
      ("list", ["list"], [40, 80, 200]), ("list-all", ["list", "--all"], [80, 200]),
      ("channels", ["channels"], [40, 80, 200]), ("status", ["status"], [40, 80, 200]),
      ("show", ["show", "ccccccccccI"], [40, 80, 200]), ("why", ["why", "ddddddddddM"], [80, 200]),
      ("rules", ["rule", "list"], [40, 80, 200]), ("collections", ["collection", "list"], [80]),
      ("collection", ["collection", "show", "時計 🕰️"], [80]), ("history", ["history"], [80, 200]),
    ])
  func screens(name: String, arguments: [String], widths: [Int]) throws {
    sandbox.environment["NO_COLOR"] = "1"
    for width in widths { try compare(arguments, name, width) }
  }

  @Test("The last polls are a table, at every width")
  func polls() throws {
    _ = try sandbox.poll("--force")
    sandbox.server.fail(.status(404), on: .key(SyntheticChannel(number: 1).id), times: .always)
    _ = try sandbox.poll("--force")
    sandbox.server.fail(.status(404), on: .all, times: .always)
    _ = try sandbox.poll("--force")
    sandbox.environment["NO_COLOR"] = "1"
    for width in [40, 80, 200] { try compare(["status"], "status-polls", width) }
  }

  private func compare(_ arguments: [String], _ name: String, _ width: Int) throws {
    let shown = try sandbox.program.run(arguments, output: .terminal(columns: UInt16(width))).lines.map(settled)
    let path = "\(Files.packageRoot)/Fixtures/screens/\(name).\(width).txt"
    if getenv("METUBE_RSS_RECORD") != nil { try record(shown, at: path) }
    let recorded = String(decoding: try #require(Files.read(path)), as: UTF8.self).split(separator: "\n").map(
      String.init)
    for (line, wanted) in zip(shown, recorded) { #expect(line == wanted, "\(name).\(width)") }
    #expect(shown.count == recorded.count, "\(name).\(width)")
  }

  private func record(_ lines: [String], at path: String) throws {
    let bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
    let file = try #require(fopen(path, "wb"))
    defer { fclose(file) }
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  /// A line with run-specific parts (current times, the device, the folder) replaced by placeholders of the same width.
  private func settled(_ line: String) -> String {
    var line = line
    // A time may be wrapped between its day and its minute.
    line.replace(/20(?!23)[2-9]\d-\d\d-\d\d(?=$| \d\d:\d\d)/, with: "2026-01-02")
    line.replace(/(^|2026-01-02 )\d\d:\d\d(?=[:,) ]|$)/) { "\($0.output.1)03:04" }
    line.replace(/\d min ago( ?)/) { "just now" + ($0.output.1.isEmpty ? "" : "  ") }
    line.replace(/(^ {12}|^ {12}device |03:04  |on device )[0-9a-z]{8}(?=  |$)/) { "\($0.output.1)k3v9x2ap" }
    line.replace(/0:0\d/, with: "0:00")  // the duration of a poll
    line.replace(/^log: \S+/, with: "log: ~/log")
    line.replace(/\(\d( kB\))?$/) { "(3\($0.output.1 ?? "")" }
    return line
  }
}
