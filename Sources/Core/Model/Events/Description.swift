/// A video's description: its fingerprint, and either its text or the text's location in the log.
///
/// The state of a million videos holds fingerprints and locations, never texts. Two descriptions are equal if their
/// fingerprints are.
package struct Description: Sendable {
  /// The fingerprint of the text as written in the log; see `Fingerprint`.
  package let fingerprint: UInt64
  package let source: Source

  /// The text or its location.
  package enum Source: Sendable, Equatable {
    case text(String)
    case log(LogRange)
  }

  package init(_ text: String) {
    fingerprint = Fingerprint.of(text)
    source = .text(text)
  }

  package init(fingerprint: UInt64, place: LogRange) {
    self.fingerprint = fingerprint
    source = .log(place)
  }
}

extension Description: Equatable {
  package static func == (left: Description, right: Description) -> Bool { left.fingerprint == right.fingerprint }
}

/// A byte range in a log file: a JSON string without its quotes.
package struct LogRange: Equatable, Sendable {
  /// The file's index in the reader's list of files.
  package var file: UInt32
  /// The length in bytes.
  package var length: UInt32
  /// The offset in the file, in bytes.
  package var offset: UInt64

  package init(file: UInt32, length: UInt32, offset: UInt64) {
    (self.file, self.length, self.offset) = (file, length, offset)
  }
}
