import Core

/// yt-dlp's archive of downloads (`--download-archive`): a line for each, `youtube dQw4w9WgXcQ`, without times.
///
/// What was downloaded counts as watched, as with any history only if its channel is followed or a feed has shown it.
enum DownloadArchive {
  /// Whether rows from the start of a file are such lines.
  static func recognises(_ rows: [[String]]) -> Bool {
    let entries = rows.map { $0.count == 1 ? entry($0[0]) : nil }
    return entries.contains { $0?.site == "youtube" && $0.flatMap { VideoID(youTube: $0.id) } != nil }
      && entries.allSatisfy { $0 != nil }
  }

  /// Reads a whole file into `builder`.
  static func read(_ bytes: [UInt8], into builder: inout ImportBuilder) throws(ImportError) {
    var number = 0
    for line in String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    {
      number += 1
      if line.withoutBlanks.isEmpty { continue }
      guard let entry = entry(line), entry.site == "youtube" else {
        try builder.pass(line, line: number)
        continue
      }
      try builder.watch(String(entry.id), when: nil, channel: nil, line: number)
    }
  }

  /// The site and the ID of a line; nil if it is another line.
  private static func entry(_ line: some StringProtocol) -> (site: Substring, id: Substring)? {
    let fields = Substring(line).split(separator: " ")
    guard fields.count == 2, fields[0].allSatisfy({ $0.isLowercase || $0.isNumber || $0 == ":" || $0 == "_" }) else {
      return nil
    }
    return (fields[0], fields[1])
  }
}
