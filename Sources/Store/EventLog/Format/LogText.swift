import Core

/// Texts as they stand in lines, between quotation marks.
package enum LogText {
  package static func text(of bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { JSONString.unescaped($0) ?? String(decoding: $0, as: UTF8.self) }
  }

  /// The text normalised by `NormalizedText`.
  package static func folded(_ bytes: [UInt8]) -> [UInt8] {
    // Skipping the intermediate `String` takes a quarter of the time.
    bytes.withUnsafeBytes { bytes in
      JSONString.folded(bytes) ?? NormalizedText.bytes(of: String(decoding: bytes, as: UTF8.self))
    }
  }
}
