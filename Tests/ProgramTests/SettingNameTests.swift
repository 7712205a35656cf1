import Testing

/// The settings that the sources read, beside those that README names.
@Suite("Names of settings")
struct SettingNameTests {
  /// Names in the sources of the program: `settings["IP"]`, `duration("TIMEOUT", …`, `server("API_URL")`, and whole ones in words.
  private static func read() -> Set<String> {
    let pattern = #/(?:settings\["|self\["|duration\("|server\("|METUBE_RSS_)([A-Z][A-Z_]*[A-Z])(?![A-Z<])/#
    let names = sources(Files.packageRoot + "/Sources/metube-rss").flatMap { path in
      String(decoding: Files.read(path) ?? [], as: UTF8.self).matches(of: pattern).map { String($0.output.1) }
    }
    // A name of the person's choice.
    return Set(names.map { $0.hasPrefix("EXPORT_") ? "EXPORT_<NAME>" : $0 })
  }

  private static func sources(_ folder: String) -> [String] {
    TemporaryFolder.names(in: folder).flatMap { name in
      name.hasSuffix(".swift") ? ["\(folder)/\(name)"] : sources("\(folder)/\(name)")
    }
  }

  @Test("Every setting that is read stands in README, and no other does")
  func complete() throws {
    let readme = String(decoding: try #require(Files.read(Files.packageRoot + "/README.md")), as: UTF8.self)
    let rows = readme.split(separator: "\n").filter { $0.hasPrefix("| `METUBE_RSS_") }
    let told = rows.flatMap { row in
      (row.split(separator: "|").first ?? "").matches(of: #/METUBE_RSS_([A-Z_<>]+)/#).map { String($0.output.1) }
    }
    #expect(Set(told) == SettingNameTests.read() && Set(told).count == told.count, "\(told.sorted())")
    #expect(told.count > 10)
  }
}
