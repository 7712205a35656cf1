import TestSupport
import Testing

@Suite("Exit statuses")
struct ExitStatusTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test(
    "An invalid command line ends with 64, and standard error says what is wrong",
    arguments: [
      ["frobnicate"], ["list", "--frobnicate"], ["list", "--limit", "many"], ["list", "--limit", "-1"],
      ["list", "--format", "xml"], ["list", "--since", "whenever"], ["list", "--shorts", "maybe"], ["watched"],
      ["import"], ["follow"], ["poll", "--jobs", "0"], ["poll", "--rate", "-1"], ["poll", "--rate", "1e-300"],
      ["poll", "--rate", "nan"], ["poll", "--deadline", "0"], ["poll", "--deadline", "9223372036854775807"],
      ["export", "pdf"], ["export", "atom", "--limit", "x"],
      ["follow", "--seen-before", "soon", "UCAAAAAAAAAAAAAAAAAAAAAA"],
    ])
  func usage(arguments: [String]) throws {
    let outcome = try sandbox.program.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty && !outcome.errors.isEmpty)
    #expect(sandbox.log.isEmpty)
  }

  @Test(
    "A number at the end of its range does not crash",
    arguments: [
      ("list --limit 9223372036854775807", Int32(0)), ("history --limit 9223372036854775807", 0),
      ("export atom --limit 9223372036854775807", 0), ("rule remove -- -9223372036854775808", 1),
      ("show 9223372036854775807", 1), ("progress bbbbbbbbbbE 9223372036854775807", 64),
      ("snooze 9223372036854775807w bbbbbbbbbbE", 64), ("poll --rate 0.001 --deadline 86400", 0),
    ])
  func largeNumbers(line: String, status: Int32) throws {
    try sandbox.follow(threeVideos)
    let outcome = try sandbox.program.run(line.split(separator: " ").map(String.init))
    #expect(outcome.status == status, "\(line): \(outcome.errors)")
  }

  @Test(
    "An invalid setting ends with 64", arguments: [("METUBE_RSS_FEEDS_URL", "ftp://x"), ("METUBE_RSS_IP", "5")])
  func setting(variable: String, value: String) throws {
    try sandbox.follow(1)
    sandbox.environment[variable] = value
    let outcome = try sandbox.run("poll")
    #expect(outcome.status == 64 && outcome.errors.contains(variable))
  }

  @Test(
    "Unsupported input ends with 65, and nothing is imported",
    arguments: [
      "", "just some words\n", "<html><body>no</body></html>", "{\"a\": 1}", "\u{0}\u{1}\u{2}",
    ])
  func input(text: String) throws {
    let outcome = try sandbox.run("import", "-", input: text)
    #expect(outcome.status == 65 && outcome.errors.hasPrefix("metube-rss: -: "), "\(outcome.errors)")
    #expect(sandbox.log.isEmpty)
  }

  @Test("A missing file, or a folder, ends with 65; the others are imported")
  func missing() throws {
    let list = sandbox.folder.write("UCAAAAAAAAAAAAAAAAAAAAAA\n".utf8, to: "list.txt")
    let outcome = try sandbox.run("import", sandbox.folder.path + "/none.csv", sandbox.folder.path, list)
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("none.csv: cannot be opened: No such file or directory"))
    #expect(outcome.errors.contains("\(sandbox.folder.path): cannot be read: Is a directory"))
    #expect(try sandbox.succeed("channels", "--format", "ids") == "UCAAAAAAAAAAAAAAAAAAAAAA\n")
  }

  @Test("Rejected rows end with 1, and are reported by file and line")
  func rows() throws {
    let csv = Files.packageRoot + "/Fixtures/imports/takeout-subscriptions.csv"
    let outcome = try sandbox.run("import", csv)
    #expect(outcome.status == 1 && outcome.text.contains("refused"))
    #expect(outcome.errors.hasPrefix("metube-rss: \(csv):8: “UC123” is not a channel ID"))
  }

  @Test("A folder that cannot be created ends with 74")
  func folder() throws {
    let outcome = try sandbox.run("follow", "--home", "/dev/null/home", "UCAAAAAAAAAAAAAAAAAAAAAA")
    #expect(outcome.status == 74 && outcome.errors.contains("/dev/null/home"))
  }

  @Test("A damaged line in the log is reported by readers, and ends writers with 74")
  func damage() throws {
    try sandbox.follow(threeVideos)
    let name = try #require(sandbox.folder.names(in: "log").first)
    var bytes = try #require(sandbox.folder.read("log/\(name)"))
    let second = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 10
    bytes[second] ^= 1
    sandbox.folder.write(bytes, to: "log/\(name)")

    let reading = try sandbox.run("list")
    #expect(reading.status == 0 && reading.errors.contains("\(name):2 (byte "), "\(reading.errors)")
    let writing = try sandbox.run("watched", "bbbbbbbbbbE")
    #expect(writing.status == 74 && writing.errors.contains("log repair"))
    #expect(sandbox.folder.read("log/\(name)") == bytes)
  }

  @Test("An unknown channel ends with 1, an ambiguous one too, with the candidates")
  func channels() throws {
    for name in ["UCAAAAAAAAAAAAAAAAAAAAAA", "No such title"] {
      for command in [["list", "--channel"], ["poll"], ["unfollow"], ["export", "atom", "--channel"]] {
        let outcome = try sandbox.program.run(command + [name])
        #expect(outcome.status == 1 && outcome.errors.hasPrefix("metube-rss: “\(name)” "))
      }
    }
    try sandbox.follow(2)
    _ = try sandbox.poll()
    let outcome = try sandbox.run("list", "--channel", "e")
    #expect(outcome.status == 1 && outcome.errors.contains("“e” matches 2 channels"))
  }
}
