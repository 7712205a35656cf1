import Core
import Glibc
import Importers

/// Messages about imported files.
extension UserMessages {
  /// What `--seen-before` did to known videos.
  package static func seen(_ videos: Int) -> String {
    "\(count(videos, "video")) found earlier and published before that date marked watched"
  }

  /// Why nothing was imported from a file.
  package static func importing(_ error: ImportError) -> String {
    switch error {
    case .notUnderstood(let likeness): "unknown format; it looks like \(looks(likeness))"
    case .nothingFromYouTube(let format, 0): "read as \(format.rawValue): no subscriptions in it"
    case .nothingFromYouTube(let format, let rows):
      "read as \(format.rawValue), but none of its \(UserMessages.count(rows, "row")) is from YouTube"
    case .malformed(let likeness, let line, let column):
      "damaged \(looks(likeness)) at line \(line), column \(column); nothing was imported"
    case .tooDeep(let limit, let line): "line \(line): nested deeper than \(limit); nothing was imported"
    case .tooLarge(let limit): "larger than \(limit) bytes; nothing was imported"
    case .tooManyRows(let limit): "more than \(limit) rows; nothing was imported"
    case .valueTooLarge(let limit, let line): "line \(line): a value of more than \(limit) bytes; nothing was imported"
    case .unreadable(errno: 0): "truncated while being read; nothing was imported"
    case .unreadable(let problem): "cannot be read: \(String(cString: strerror(problem))); nothing was imported"
    case .inEntry(let name, let error): "\(DisplayText(name).text): \(importing(error))"
    case .damagedDatabase: "a damaged SQLite database; nothing was imported"
    case .noLibrary: "an archive; install libarchive (Debian: libarchive13), or unpack it first; nothing was imported"
    case .archive(let fault): "\(archive(fault)); nothing was imported"
    }
  }

  /// Why an archive of metube-rss is refused.
  package static func archive(_ flaw: HomeArchive.Flaw) -> String {
    switch flaw {
    case .laterVersion(let version):
      "an archive of a later version of metube-rss (version \(version)); update this one"
    case .foreignEntry(let name): "an archive of metube-rss with a file that is not a log, \(DisplayText(name).text)"
    case .repeated(let name): "an archive of metube-rss with \(DisplayText(name).text) twice"
    }
  }

  /// Why a row was rejected.
  package static func refusal(_ refusal: RowError) -> String {
    switch refusal {
    case .reference(let error): reference(error)
    case .empty: "no channel in this row"
    case .notJSON: "not a JSON object"
    case .unmatchedQuote: "unmatched quotes"
    }
  }

  private static func looks(_ likeness: FileType) -> String {
    switch likeness {
    case .nothing: "an empty file"
    case .text: "plain text"
    case .csv: "CSV without a column of channel IDs, addresses or handles"
    case .videoList: "CSV with a video in each row, without a time at which it was watched"
    case .json: "JSON"
    case .xml: "XML"
    case .html: "HTML"
    case .zip: "a zip archive"
    case .gzip: "a gzip file; unpack it first"
    case .database: "a SQLite database, but not NewPipe's"
    case .binary: "binary data"
    }
  }

  private static func archive(_ fault: ArchiveFault) -> String {
    switch fault {
    case .damaged: "a damaged archive, perhaps an incomplete download"
    case .unsafeName(let name): "an archive with the unsafe name \(DisplayText(name).text)"
    case .tooManyEntries(let limit): "an archive of more than \(limit) entries"
    case .ratio(let name, let limit): "\(DisplayText(name).text) unpacks to more than \(limit) times its size"
    case .damagedEntry(let name): "\(DisplayText(name).text) cannot be unpacked"
    }
  }
}
