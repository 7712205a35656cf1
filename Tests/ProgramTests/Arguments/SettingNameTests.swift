import Testing

/// The settings that the sources read, compared with those in docs/settings.md.
@Suite("Setting names")
struct SettingNameTests {
  /// Names in the program's sources: `settings["IP"]`, `duration("TIMEOUT", …`, `server("API_URL")`, and complete ones
  /// in messages.
  private static func read() -> Set<String> {
    let pattern = #/(?:settings\["|self\["|duration\("|server\("|METUBE_RSS_)([A-Z][A-Z_]*[A-Z])(?![A-Z<])/#
    let names = sources(Files.packageRoot + "/Sources/metube-rss").flatMap { path in
      String(decoding: Files.read(path) ?? [], as: UTF8.self).matches(of: pattern).map { String($0.output.1) }
    }
    // The user chooses this name.
    return Set(names.map { $0.hasPrefix("EXPORT_") ? "EXPORT_<NAME>" : $0 })
  }

  private static func sources(_ folder: String) -> [String] {
    TemporaryFolder.names(in: folder).flatMap { name in
      name.hasSuffix(".swift") ? ["\(folder)/\(name)"] : sources("\(folder)/\(name)")
    }
  }

  @Test("docs/settings.md has every setting that is read, and no other")
  func complete() throws {
    let page = String(decoding: try #require(Files.read(Files.packageRoot + "/docs/settings.md")), as: UTF8.self)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `METUBE_RSS_") }
    let reported = rows.flatMap { row in
      (row.split(separator: "|").first ?? "").matches(of: #/METUBE_RSS_([A-Z_<>]+)/#).map { String($0.output.1) }
    }
    #expect(Set(reported) == SettingNameTests.read() && Set(reported).count == reported.count, "\(reported.sorted())")
    #expect(reported.count > 10)
  }
}
