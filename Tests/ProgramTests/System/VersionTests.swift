import FixtureServer
import Glibc
import JSON
import TestSupport
import Testing

/// The file VERSION, and whatever has its number.
@Suite("The version")
struct VersionTests {
  private let version: String

  init() throws {
    let text = String(decoding: try #require(Files.read(Files.packageRoot + "/VERSION")), as: UTF8.self)
    version = String(text.prefix { $0 != "\n" })
    #expect(text == version + "\n" && version.split(separator: ".").compactMap { Int($0) }.count == 3)
  }

  @Test("Both programs print the version", arguments: Help.programs)
  func printed(name: String) throws {
    #expect(try Help.program(name).run(["--version"]).text == "\(name) \(version)\n")
  }

  @Test("Requests for feeds carry it")
  func userAgent() throws {
    let sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("follow", "UCsXVk37bltHxD1rDPwtNM8Q")
    try sandbox.succeed("poll", "--rate", "0")
    let agents = Set(sandbox.server.requests.compactMap { $0.headers["user-agent"] })
    #expect(agents == ["metube-rss/\(version) (+https://github.com/metube-rss/metube-rss)"])
  }

  @Test("The description of the API has it")
  func document() throws {
    let document = try RunningHub(Sandbox()).get("/api/v1/openapi.json").json
    #expect(document["info"]?["version"]?.string == version)
  }

  @Test("The version heads the changelog, with a date once it is tagged")
  func changelog() throws {
    let text = String(decoding: try #require(Files.read(Files.packageRoot + "/CHANGELOG.md")), as: UTF8.self)
    let heading = try #require(text.split(separator: "\n").first { $0.hasPrefix("## ") })
    #expect(heading.hasPrefix("## \(version) · "))
    if let tags = try tags(), !tags.isEmpty {
      #expect(tags.contains("v\(version)"), "HEAD is tagged \(tags)")
      #expect(!heading.hasSuffix("unreleased"))
    }
  }

  @Test("Manual pages have it", arguments: Help.programs)
  func manual(name: String) throws {
    let folder = TemporaryFolder()
    var program = Help.program(name)
    program.path = try #require(VersionTests.pythons.first { access($0, X_OK) == 0 })
    let script = Files.packageRoot + "/scripts/manual.py"
    _ = try program.run([script, folder.path], input: Help.dump(of: name))
    for page in folder.names() {
      let text = String(decoding: folder.read(page) ?? [], as: UTF8.self)
      #expect(text.hasPrefix(".TH \"\(page.dropLast(2).uppercased())\" 1 \"\" \"\(name) \(version)\" "), "\(page)")
    }
  }

  @Test("No source repeats it")
  func once() throws {
    for folder in ["Sources", "scripts", "Package.swift", "Makefile"] {
      var grep = Program(environment: ["PATH": "/usr/bin:/bin"])
      grep.path = "/usr/bin/grep"
      // Not what belongs to a longer number, such as an address.
      let pattern = "(^|[^0-9.])\(version.split(separator: ".").joined(separator: "\\."))($|[^0-9.])"
      let found = try grep.run(["-rnE", pattern, "\(Files.packageRoot)/\(folder)"]).lines
      #expect(found.filter { !$0.contains("/Platform/VERSION:") } == [])
    }
  }

  private static let pythons: [String] = ["/usr/bin/python3", "/usr/local/bin/python3"]

  /// The tags of HEAD; nil outside a repository, and without git.
  private func tags() throws -> [String]? {
    guard access("/usr/bin/git", X_OK) == 0, access(Files.packageRoot + "/.git", R_OK) == 0 else { return nil }
    var git = Program(environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"])
    git.path = "/usr/bin/git"
    let outcome = try git.run([
      "-c", "safe.directory=*", "-C", Files.packageRoot, "tag", "--points-at", "HEAD", "--list", "v*",
    ])
    return outcome.status == 0 ? outcome.lines : nil
  }
}
