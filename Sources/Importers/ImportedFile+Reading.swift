import Core

extension ImportedFile {
  /// Reads a file in memory; see below.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, opml: ([UInt8]) throws -> [Outline]
  ) throws -> ImportedFile {
    try read(ImportSource(bytes), limits: limits, opml: opml)
  }

  /// Reads a whole file. Formats that can be long (JSON, HTML, archives) are streamed, the rest loaded at once.
  ///
  /// `opml` parses the outlines of an OPML document; its errors are rethrown. Throws `ImportError` if the file gives
  /// nothing.
  package static func read(
    _ source: ImportSource, limits: ImportLimits, opml: ([UInt8]) throws -> [Outline]
  ) throws -> ImportedFile {
    let beginning = try source.bytes(at: 0, count: Recognition.length)
    let start = beginning.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0  // UTF-8 byte order mark
    let recognition = Recognition(Array(beginning.dropFirst(start)))
    switch recognition.likeness {
    case .text, .csv: return try readText(source, from: start, recognition, limits: limits)
    case .xml where recognition.isOPML: return try readOPML(source, from: start, limits: limits, opml: opml)
    case .json: return try readJSON(source, from: start, limits: limits)
    case .zip: return try TakeoutArchive.read(source, limits: limits)
    case .html: return try readHTML(source, from: start, limits: limits)
    case let other: throw ImportError.notUnderstood(looksLike: other)
    }
  }

  /// The whole file, if no longer than a text may be.
  private static func text(
    _ source: ImportSource, from start: Int, limits: ImportLimits
  ) throws(ImportError) -> [UInt8] {
    guard source.count <= limits.textBytes else { throw .tooLarge(limit: limits.textBytes) }
    return try source.bytes(at: start, count: source.count)
  }

  private static func readOPML(
    _ source: ImportSource, from start: Int, limits: ImportLimits, opml: ([UInt8]) throws -> [Outline]
  ) throws -> ImportedFile {
    var builder = ImportBuilder(format: .opml, limits: limits)
    try OutlineRows.read(opml(text(source, from: start, limits: limits)), into: &builder)
    return try builder.finish()
  }

  private static func readJSON(
    _ source: ImportSource, from start: Int, limits: ImportLimits
  ) throws(ImportError) -> ImportedFile {
    guard source.count <= limits.streamedBytes else { throw .tooLarge(limit: limits.streamedBytes) }
    if try FreeTubeLines.recognises(source, from: start) {
      return try FreeTubeLines.read(source, from: start, limits: limits).finish()
    }
    return try JSONFile.read(source.reader(from: start), limits: limits, entry: nil).finish()
  }

  private static func readHTML(
    _ source: ImportSource, from start: Int, limits: ImportLimits
  ) throws(ImportError) -> ImportedFile {
    guard source.count <= limits.streamedBytes else { throw .tooLarge(limit: limits.streamedBytes) }
    let builder = try WatchHistoryHTML.read(source.reader(from: start), limits: limits, entry: nil)
    guard builder.file.read > 0 else { throw .notUnderstood(looksLike: .html) }
    return try builder.finish()
  }

  private static func readText(
    _ source: ImportSource, from start: Int, _ recognition: Recognition, limits: ImportLimits
  ) throws(ImportError) -> ImportedFile {
    let text = try text(source, from: start, limits: limits)
    let rows = recognition.rows
    if TakeoutCSV.recognises(rows) {
      var builder = ImportBuilder(format: .takeoutCSV, limits: limits)
      try TakeoutCSV.read(text, into: &builder)
      return try builder.finish()
    }
    if TakeoutPlaylist.recognises(rows) {
      var builder = ImportBuilder(format: .takeoutPlaylist, limits: limits)
      try TakeoutPlaylist.read(text, title: nil, into: &builder)
      return try builder.finish()
    }
    var builder = ImportBuilder(format: .plainList, limits: limits)
    try ChannelLines.read(text, into: &builder)
    guard builder.hasAnything || !builder.file.notYouTube.isEmpty else {
      throw .notUnderstood(looksLike: recognition.likeness)
    }
    return try builder.finish()
  }
}
