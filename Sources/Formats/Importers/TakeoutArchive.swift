/// Google Takeout's archive, `.zip` or `.tgz`: finds subscriptions, playlists and the watch history by content.
/// NewPipe's backup, a zip of its database, is read by the same rules.
///
/// Names of folders and files are translated, so the start of each file is examined. The archive also contains the
/// owner's own channel, comments, searches, videos and pages, which are skipped.
enum TakeoutArchive {
  /// Reads a whole archive; throws `notUnderstood` if it contains nothing known.
  static func read(
    _ source: ImportSource, isZip: Bool, limits: ImportLimits, _ database: DatabaseRows
  ) throws(ImportError) -> ImportedFile {
    guard let archive = Archive(source, isZip: isZip, limits: limits) else { throw .noLibrary }
    var builder = ImportBuilder(format: .takeoutZip, limits: limits)
    var fileType = isZip ? FileType.zip : .gzip
    while let entry = try archive.next(startLength: startLength) {
      let start = FormatDetector(withoutMark(entry.start))
      if start.fileType == .database { fileType = .database }
      do {
        guard let part = try read(entry, start, of: archive, limits: limits, database), part.hasAnything else {
          continue
        }
        try builder.append(part, countsRepeated: true)
        if start.fileType == .database { builder.recognise(.newPipeDatabase) }
      } catch .notUnderstood {
        continue
      } catch .archive(let fault) {
        throw .archive(fault)
      } catch {
        throw .inEntry(entry.name, error)
      }
    }
    guard builder.hasAnything else { throw .notUnderstood(looksLike: fileType) }
    return try builder.finish()
  }

  /// The contents of an entry; nil if it is not a known file.
  private static func read(
    _ entry: Archive.Entry, _ start: FormatDetector, of archive: Archive, limits: ImportLimits,
    _ database: DatabaseRows
  ) throws(ImportError) -> ImportBuilder? {
    switch start.fileType {
    case .database:
      let bytes = try archive.contents(limit: limits.textBytes)
      return try NewPipeDatabase.read(bytes, limits: limits, entry: entry.name, database)
    case .csv: return try readCSV(entry, start.rows, of: archive, limits: limits)
    case .json:
      let isHistory = start.contains("\"products\"") && start.contains("youtube")
      guard isHistory || start.contains("youtube#subscription") else { return nil }
      return try JSONFile.read(archive.reader(), limits: limits, entry: entry.name)
    case .html: return try WatchHistoryHTML.read(archive.reader(), limits: limits, entry: entry.name)
    default: return nil
    }
  }

  private static func readCSV(
    _ entry: Archive.Entry, _ rows: [[String]], of archive: Archive, limits: ImportLimits
  ) throws(ImportError) -> ImportBuilder? {
    let isPlaylist = TakeoutPlaylist.recognises(rows)
    guard isPlaylist || ChannelTable.isCertainlyTakeout(rows) else { return nil }
    let text = withoutMark(try archive.contents(limit: limits.textBytes))
    var part = ImportBuilder(format: .takeoutZip, limits: limits, entry: entry.name)
    if isPlaylist {
      try TakeoutPlaylist.read(text, title: title(of: entry), into: &part)
    } else {
      try ChannelTable.takeout.read(text, into: &part)
    }
    return part
  }

  /// The name of a playlist from its file name: `Rainy days` of `…/playlists/Rainy days-videos.csv`.
  private static func title(of entry: Archive.Entry) -> String? {
    let file = entry.name.split(separator: "/").last ?? ""
    let name = file.prefix(upTo: file.lastIndex(of: ".") ?? file.endIndex)
    return String(name.lowercased().hasSuffix("-videos") ? name.dropLast("-videos".count) : name)
  }

  private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// How much of an entry is examined, in bytes: some rows of a CSV file, the first of a history.
  private static let startLength = 4096
}
