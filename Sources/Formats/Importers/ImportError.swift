import Core
import JSON

/// Why a file gave nothing.
package indirect enum ImportError: Error, Hashable, Sendable {
  /// Not a supported format.
  case notUnderstood(looksLike: FileType)
  /// A supported format with this many rows, none related to YouTube.
  case nothingFromYouTube(ImportFormat, rows: Int)
  /// Malformed or truncated at this position; line and column from 1, the column in bytes.
  case malformed(FileType, line: Int, column: Int)
  /// Nested deeper than any real file.
  case tooDeep(limit: Int, line: Int)
  /// Longer, after unpacking, than the limit in bytes.
  case tooLarge(limit: Int)
  /// More rows than the limit.
  case tooManyRows(limit: Int)
  /// One value of a JSON file takes more memory than the limit in bytes.
  case valueTooLarge(limit: Int, line: Int)
  /// A SQLite database with errors in its structure, or that takes too long to read.
  case damagedDatabase
  /// libarchive is not installed.
  case noLibrary
  /// An unsafe or unreadable archive.
  case archive(ArchiveFault)
  /// A read failed; the `errno`, or 0 if the file shrank meanwhile.
  case unreadable(errno: Int32)
  /// A file in an archive, by its name there, could not be read.
  case inEntry(String, ImportError)
}

extension ImportError {
  /// Runs `body`, which reads JSON or from a source: errors of the reader become errors of the file.
  static func reading<Result>(_ body: () throws -> Result) throws(ImportError) -> Result {
    do { return try body() } catch let error as ImportError { throw error } catch let error as JSONError {
      switch error {
      case .malformed(let line, let column): throw .malformed(.json, line: line, column: column)
      case .tooDeep(let limit, let line): throw .tooDeep(limit: limit, line: line)
      case .valueTooLarge(let limit, let line): throw .valueTooLarge(limit: limit, line: line)
      }
    } catch { preconditionFailure("sources throw ImportError, the reader JSONError: \(error)") }
  }
}

/// What is wrong with an archive.
package enum ArchiveFault: Error, Hashable, Sendable {
  /// No directory, or no valid one; usually an incomplete download.
  case damaged
  /// A name that would escape the folder it is unpacked to.
  case unsafeName(String)
  case tooManyEntries(limit: Int)
  /// An entry that expands to more than this many times its size.
  case ratio(String, limit: Int)
  /// An entry that cannot be unpacked, or does not match its size or checksum.
  case damagedEntry(String)
}

/// Why a row was rejected.
package enum RowError: Error, Hashable, Sendable {
  /// Not a valid channel, playlist or video.
  case reference(ReferenceError)
  /// The field is empty.
  case empty
  /// A line of a FreeTube file that is not a JSON object.
  case notJSON
  /// A CSV row with unmatched quotes.
  case unmatchedQuote
}

/// Limits on what is read from a file; real files stay far below.
package struct ImportLimits: Sendable {
  /// Bytes of a text, CSV or OPML file.
  package var textBytes: Int
  /// Bytes of a JSON or HTML file, and of everything unpacked from an archive.
  package var streamedBytes: Int
  /// Rows of subscriptions, and rows reported individually.
  package var rows: Int
  /// Distinct videos of a history, and videos of the collections.
  package var watches: Int
  /// About how many bytes of memory titles and channels of videos take; of further videos they are left out.
  package var descriptionBytes: Int
  /// Entries of an archive.
  package var archiveEntries: Int
  /// Maximum ratio of unpacked to packed size of an entry.
  package var archiveRatio: Int

  /// The limits for user files.
  package static let standard = ImportLimits(
    textBytes: 64 << 20, streamedBytes: 2 << 30, rows: 100_000, watches: 2_000_000,
    descriptionBytes: 64 << 20, archiveEntries: 100_000, archiveRatio: 200)
}
