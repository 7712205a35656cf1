import Core

extension ImportedFile {
  /// Reads a whole file, given as the bytes in memory, mapped there at best: nothing of it is copied that need not be.
  ///
  /// `opml` reads the outlines of an OPML document; what it throws is passed on. Throws `ImportError` where nothing is
  /// taken from the file.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, opml: ([UInt8]) throws -> [Outline]
  ) throws -> ImportedFile {
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])  // UTF-8's byte order mark
    let bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(hasMark ? 3 : 0))
    let recognition = Recognition(Array(bytes.prefix(Recognition.length)))
    switch recognition.likeness {
    case .text, .csv: return try readText(bytes, recognition, limits: limits)
    case .xml where recognition.isOPML: return try readOPML(bytes, limits: limits, opml: opml)
    case .json: return try readJSON(bytes, limits: limits)
    case .zip: return try TakeoutArchive.read(bytes, limits: limits)
    case .html: return try readHTML(bytes, limits: limits)
    case let other: throw ImportError.notUnderstood(looksLike: other)
    }
  }

  private static func readOPML(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, opml: ([UInt8]) throws -> [Outline]
  ) throws -> ImportedFile {
    guard bytes.count <= limits.textBytes else { throw ImportError.tooLarge(limit: limits.textBytes) }
    var builder = ImportBuilder(format: .opml, limits: limits)
    try OutlineRows.read(opml(Array(bytes)), into: &builder)
    return try builder.finish()
  }

  private static func readJSON(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits
  ) throws(ImportError) -> ImportedFile {
    guard bytes.count <= limits.streamedBytes else { throw .tooLarge(limit: limits.streamedBytes) }
    if FreeTubeLines.recognises(bytes) { return try FreeTubeLines.read(bytes, limits: limits).finish() }
    return try JSONFile.read(ByteReader(bytes), limits: limits, entry: nil).finish()
  }

  private static func readHTML(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits
  ) throws(ImportError) -> ImportedFile {
    guard bytes.count <= limits.streamedBytes else { throw .tooLarge(limit: limits.streamedBytes) }
    let builder = try WatchHistoryHTML.read(ByteReader(bytes), limits: limits, entry: nil)
    guard builder.file.read > 0 else { throw .notUnderstood(looksLike: .html) }
    return try builder.finish()
  }

  private static func readText(
    _ bytes: UnsafeRawBufferPointer, _ recognition: Recognition, limits: ImportLimits
  ) throws(ImportError) -> ImportedFile {
    guard bytes.count <= limits.textBytes else { throw .tooLarge(limit: limits.textBytes) }
    let text = Array(bytes)
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
