import FixtureServer
import Glibc
import TestSupport
import Testing

@testable import App

/// The settings that the sources read, compared with those in docs/reference/settings.md.
@Suite("Setting names")
struct SettingNameTests {
  /// Names in the program's sources: `settings["IP"]`, `duration("TIMEOUT", …`, `server("API_URL")`, and complete ones
  /// in messages.
  private static func read() -> Set<String> {
    let pattern = #/(?:settings\["|self\["|duration\("|server\("|METUBE_RSS_)([A-Z][A-Z_]*[A-Z])(?![A-Z<])/#
    let names = ["App", "CLI", "Hub"].flatMap { sources("\(Files.packageRoot)/Sources/\($0)") }.flatMap { path in
      String(decoding: Files.read(path) ?? [], as: UTF8.self).matches(of: pattern).map { String($0.output.1) }
    }
    // The user chooses the name of an export. DEMO is where metube-hub demo looks for its samples, and no setting.
    return Set(names.filter { $0 != "DEMO" }.map { $0.hasPrefix("EXPORT_") ? "EXPORT_<NAME>" : $0 })
  }

  private static func sources(_ folder: String) -> [String] {
    TemporaryFolder.names(in: folder).flatMap { name in
      name.hasSuffix(".swift") ? ["\(folder)/\(name)"] : sources("\(folder)/\(name)")
    }
  }

  @Test("docs/reference/settings.md has every setting that is read, and no other")
  func complete() throws {
    let bytes = try #require(Files.read(Files.packageRoot + "/docs/reference/settings.md"))
    let page = String(decoding: bytes, as: UTF8.self)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `METUBE_RSS_") }
    let reported = rows.flatMap { row in
      (row.split(separator: "|").first ?? "").matches(of: #/METUBE_RSS_([A-Z_<>]+)/#).map { String($0.output.1) }
    }
    #expect(Set(reported) == SettingNameTests.read() && Set(reported).count == reported.count, "\(reported.sorted())")
    #expect(reported.count > 10)
  }

  @Test("metube-rss config knows the settings of docs/reference/settings.md")
  func known() throws {
    let names = SettingNameTests.read().filter { $0 != "EXPORT_<NAME>" }
    #expect(Set(Settings.known.map(\.name)) == names)
  }

  @Test("A name that is not a setting is reported by every command, with the nearest one")
  func unknown() throws {
    let sandbox = try Sandbox()
    sandbox.environment["METUBE_RSS_PLAYR"] = "x"
    sandbox.folder.write(
      "# mine\nMETUBE_RSS_EXPROT_ALL=opml\nexport METUBE_RSS_IP=4\nhttp_proxy=x\nMETUBE_RSS_ZEBRA=1\n".utf8, to: "env")
    let file = sandbox.folder.path + "/env"
    for command in ["list", "config", "status"] {
      let outcome = try sandbox.run(command)
      #expect(outcome.status == 0)
      let lines = outcome.errors.split(separator: "\n").map(String.init)
      #expect(
        Set(lines) == [
          "metube-rss: the environment: METUBE_RSS_PLAYR is not a setting; did you mean METUBE_RSS_PLAYER?",
          "metube-rss: \(file):2: METUBE_RSS_EXPROT_ALL is not a setting; did you mean METUBE_RSS_EXPORT_ALL?",
          "metube-rss: \(file):3: “export METUBE_RSS_IP” is not a setting; write METUBE_RSS_IP=…",
          "metube-rss: \(file):5: METUBE_RSS_ZEBRA is not a setting; see metube-rss config",
        ], "\(command)")
    }
  }

  @Test("A settings file that others may write is reported, and one of another user")
  func writable() throws {
    let sandbox = try Sandbox()
    let file = sandbox.folder.write("METUBE_RSS_IP=4\n".utf8, to: "env")
    try sandbox.succeed("list")
    chmod(file, 0o666)
    #expect(try sandbox.run("list").errors.contains("\(file): writable by other users"))
    chmod(file, 0o644)
    guard geteuid() == 0 else { return }
    chown(file, 12_345, 0)
    #expect(try sandbox.run("list").errors.contains("\(file): owned by user 12345"))
  }

  @Test("config shows each setting, its source, and no secret")
  func config() throws {
    let sandbox = try Sandbox()
    sandbox.environment["METUBE_RSS_TIMEOUT"] = nil
    sandbox.environment["METUBE_RSS_API_KEY"] = "a-secret"
    sandbox.environment["METUBE_RSS_PROXY"] = "http://me:hidden@proxy.example:3128"
    sandbox.folder.write("\nMETUBE_RSS_EXPORT_ALL=opml -o x\nMETUBE_RSS_ON_NEW=\"  \"\n".utf8, to: "env")
    let file = sandbox.folder.path + "/env"
    let rows = try sandbox.succeed("config", "--format", "tsv").split(separator: "\n").map(String.init)
    for row in [
      "METUBE_RSS_EXPORT_ALL\topml -o x\t\(file):2", "METUBE_RSS_TIMEOUT\t60\tdefault",
      "METUBE_RSS_HOME\t\(sandbox.folder.path)\tenvironment", "METUBE_RSS_API_KEY\t(set, not shown)\tenvironment",
      "METUBE_RSS_PROXY\thttp://…@proxy.example:3128\tenvironment",
    ] { #expect(rows.contains(row), "\(row)") }
    // Blank is unset.
    #expect(!rows.contains { $0.hasPrefix("METUBE_RSS_ON_NEW\t") })
    let text = try sandbox.succeed("config") + sandbox.succeed("config", "--format", "json")
    #expect(text.hasPrefix("settings file: \(file)\n") && !text.contains("a-secret") && !text.contains("hidden"))
  }

  @Test("--home may stand before the command")
  func homeFirst() throws {
    let sandbox = try Sandbox()
    let home = sandbox.folder.path + "/place"
    try sandbox.succeed("--home", home, "follow", SyntheticChannel(number: 0).id)
    #expect(try sandbox.succeed("--home=\(home)", "channels", "--format", "ids").isEmpty == false)
    #expect(try sandbox.succeed("channels", "--format", "ids", "--home", home).isEmpty == false)
    #expect(try sandbox.succeed("--home", home, "export", "csv").hasPrefix("video,"))
    #expect(try sandbox.succeed("channels", "--format", "ids").isEmpty)
    #expect(try sandbox.run("--home", home, "lisst").errors.contains("did you mean metube-rss list?"))
  }
}
