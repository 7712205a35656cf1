/// An ID in a fixed alphabet, as a fixed number of ASCII characters.
package protocol LetteredID: CustomStringConvertible {
  /// The length of an ID in characters.
  static var length: Int { get }
  /// Parses exactly `length` bytes; nil if they are not such an ID.
  init?(_ bytes: Span<UInt8>)
  /// Appends the characters.
  func append(to bytes: inout [UInt8])
}

extension LetteredID {
  package var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.length)
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
