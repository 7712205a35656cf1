/// A video's description: its fingerprint, and either its text or the place in the log where the text is.
///
/// The state of a million videos holds fingerprints and places, never texts. Two descriptions are equal when their
/// fingerprints are.
package struct Description: Sendable {
  /// The fingerprint of the text as the log writes it; see `Fingerprint`.
  package let fingerprint: UInt64
  package let source: Source

  /// Where the text is.
  package enum Source: Sendable, Equatable {
    case text(String)
    case log(LogPlace)
  }

  package init(_ text: String) {
    fingerprint = Fingerprint.of(text)
    source = .text(text)
  }

  package init(fingerprint: UInt64, place: LogPlace) {
    self.fingerprint = fingerprint
    source = .log(place)
  }
}

extension Description: Equatable {
  package static func == (left: Description, right: Description) -> Bool { left.fingerprint == right.fingerprint }
}

/// A run of bytes of one log file: a JSON string without its quotes.
package struct LogPlace: Equatable, Sendable {
  /// The file's position in the reader's list of files.
  package var file: UInt32
  /// How many bytes.
  package var length: UInt32
  /// Bytes before it in the file.
  package var offset: UInt64

  package init(file: UInt32, length: UInt32, offset: UInt64) {
    self.file = file
    self.length = length
    self.offset = offset
  }
}
