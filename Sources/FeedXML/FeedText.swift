import Core

/// Values from the bytes of a document.
extension String {
  /// The text of these bytes.
  init(bytes: Span<UInt8>) {
    self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// The text of an attribute's value, in which libxml2 leaves every ampersand as `&#38;` when, as here, it is not to
  /// substitute entities.
  init(attribute value: Span<UInt8>) {
    let escape: [UInt8] = Array("&#38;".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.count)
    var position = 0
    while position < value.count {
      bytes.append(value[position])
      let isEscape =
        value[position] == escape[0]
        && escape.indices.allSatisfy {
          position + $0 < value.count && value[position + $0] == escape[$0]
        }
      position += isEscape ? escape.count : 1
    }
    self = String(decoding: bytes, as: UTF8.self)
  }
}

extension Int64 {
  /// The count written by these digits, or nil.
  init?(digits: Span<UInt8>) {
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for position in digits.indices {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digits[position]) else { return nil }
      let (tenfold, over) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(Int64(digits[position] - UInt8(ascii: "0")))
      guard !over, !carry else { return nil }
      value = sum
    }
    self = value
  }
}
