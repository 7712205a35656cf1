import Core
import TestSupport
import Testing

/// The test documents.
enum Files {
  /// The bytes of one of the package's own documents.
  static func fixture(_ path: String) throws -> [UInt8] {
    try #require(PackageFiles.read(PackageFiles.root + "/Fixtures/" + path))
  }

  /// The bytes of a recorded document.
  static func sample(_ path: String) throws -> [UInt8] {
    try #require(PackageFiles.read((samples ?? "") + "/" + path))
  }

  /// The folder of recorded documents, which are not part of the package.
  static let samples = PackageFiles.samples
}

/// A feed as lines of text, one per field, for comparison with the file beside a fixture.
func rendering(_ feed: Feed) -> String {
  var lines: [String] = []
  func add(_ name: String, _ value: Any?) { lines.append(value.map { "\(name): \($0)" } ?? "\(name) -") }
  add("title", quoted(feed.title))
  add("authorName", feed.authorName.map(quoted))
  add("authorChannel", feed.authorChannel)
  add("channel", feed.channel)
  add("playlist", feed.playlist)
  for entry in feed.entries {
    lines.append("entry")
    add("  video", entry.video)
    add("  channel", entry.channel)
    add("  title", quoted(entry.title))
    add("  link", entry.link)
    add("  authorName", quoted(entry.authorName))
    add("  published", entry.published.rfc3339)
    add("  updated", entry.updated.rfc3339)
    add("  mediaTitle", entry.mediaTitle.map(quoted))
    add("  thumbnail", entry.thumbnail)
    add("  description", entry.description.map(quoted))
    add("  views", entry.views)
    add("  likes", entry.likes)
  }
  for deleted in feed.deletedEntries {
    lines.append("deleted")
    add("  video", deleted.video)
    add("  when", deleted.when.rfc3339)
    add("  channel", deleted.channel)
  }
  return lines.map { $0 + "\n" }.joined()
}

/// Outlines as lines of text.
func rendering(_ outlines: [Outline]) -> String {
  var lines: [String] = []
  for outline in outlines {
    let title = outline.title.map(quoted) ?? "-"
    lines.append("line \(outline.line): \(title) in \(outline.folders) of \(outline.categories)")
    if let url = outline.xmlURL { lines.append("  xmlUrl: \(url)") }
    if let url = outline.htmlURL { lines.append("  htmlUrl: \(url)") }
  }
  return lines.map { $0 + "\n" }.joined()
}

/// A text in quotation marks, with invisible characters escaped.
private func quoted(_ text: String) -> String {
  let letters = text.unicodeScalars.map { scalar in
    scalar.properties.generalCategory == .format
      ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : scalar.escaped(asASCII: false)
  }
  return "\"" + letters.joined() + "\""
}
