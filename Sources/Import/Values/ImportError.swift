import Core

/// Why nothing at all was taken from a file.
package indirect enum ImportError: Error, Hashable, Sendable {
  /// No sort of file that is known.
  case notUnderstood(looksLike: Likeness)
  /// Understood, with this many rows, none of which has to do with YouTube.
  case nothingFromYouTube(ImportFormat, rows: Int)
  /// Damaged, or cut short, at this place; both from 1, the column in bytes.
  case malformed(Likeness, line: Int, column: Int)
  /// Nested deeper than any real file.
  case tooDeep(limit: Int, line: Int)
  /// More bytes, after unpacking, than are read.
  case tooLarge(limit: Int)
  /// More rows than are read.
  case tooManyRows(limit: Int)
  /// One value of a JSON file takes more bytes than are kept in memory.
  case valueTooLarge(limit: Int, line: Int)
  /// An archive that cannot be trusted or read.
  case archive(ArchiveFault)
  /// A file that cannot be read to its end; an `errno`, 0 where it became shorter.
  case unreadable(errno: Int32)
  /// A file in an archive, by its name there, that cannot be read.
  case inEntry(String, ImportError)
}

/// What is wrong with a zip archive.
package enum ArchiveFault: Error, Hashable, Sendable {
  /// No directory where one should be, or one that points outside the file: a download cut short is the usual cause.
  case damaged
  /// A name that leaves the folder it would be unpacked to.
  case unsafeName(String)
  case tooManyEntries(limit: Int)
  /// An entry that unpacks to more than this many times its size.
  case ratio(String, limit: Int)
  /// An entry that does not unpack, or not to what its directory says.
  case damagedEntry(String)
}

/// Why one row of a file names nothing.
package enum RowRefusal: Error, Hashable, Sendable {
  /// What stands where a channel, a playlist or a video belongs is none.
  case reference(ReferenceError)
  /// Nothing stands there.
  case empty
  /// A line of a FreeTube file that is no JSON object.
  case notJSON
  /// A row of a CSV file whose quotes do not match.
  case unmatchedQuote
}
