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

  package init(fingerprint: UInt64, range: LogRange) {
    self.fingerprint = fingerprint
    source = .log(range)
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

/// A 64-bit hash of bytes that detects whether a text changed. Not cryptographic: an attacker gains nothing from a
/// collision, which hides one edit of a description.
///
/// Hashes the text as a JSON string of the log, without its quotes, so that a reader can hash a line in place. Each 8
/// bytes are mixed by a 128-bit product whose halves are XORed.
package enum Fingerprint {
  /// The fingerprint of a text's JSON form.
  package static func of(_ text: String) -> UInt64 {
    var escaped: [UInt8] = []
    // Every line of a description ends with an escape.
    escaped.reserveCapacity(text.utf8.count + text.utf8.count / 8 + 16)
    JSONText.escape(text, into: &escaped)
    return of(escaped.span.bytes)
  }

  /// The fingerprint of bytes already in JSON form.
  package static func of(_ bytes: RawSpan) -> UInt64 {
    var hash = seed ^ UInt64(bytes.byteCount)
    var offset = 0
    while offset + 8 <= bytes.byteCount {
      hash = mix(hash ^ UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.byteCount {
      rest = rest << 8 | UInt64(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      offset += 1
    }
    return mix(mix(hash ^ rest))
  }

  // Odd constants without a pattern: the first 64 bits of the fractions of √2 and √3.
  private static let seed: UInt64 = 0x6a09_e667_f3bc_c909
  private static let factor: UInt64 = 0xbb67_ae85_84ca_a73b

  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }
}
