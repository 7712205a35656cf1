/// A video ID: 11 base64url characters encoding 64 bits, so the last is one of sixteen.
///
/// Stored as those 64 bits in an order-preserving encoding: `<` matches the order of the strings. Every value matches
/// `^[\w-]{10}[AEIMQUYcgkosw048]$`. Example: `dQw4w9WgXcQ`.
package struct VideoID: Hashable, Sendable {
  /// The packed bits: ten characters of six bits, then one of four.
  package let bits: UInt64

  /// Creates the ID from the packed bits in `bits`.
  package init(bits: UInt64) { self.bits = bits }

  /// Parses exactly 11 ASCII bytes; nil if they are not a video ID.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == VideoID.length else { return nil }
    var packed: UInt64 = 0
    for position in 0..<VideoID.length - 1 {
      guard let rank = SortableBase64.rank(bytes[position]) else { return nil }
      packed = packed << 6 | rank
    }
    guard let last = SortableBase64.rank(bytes[VideoID.length - 1], among: VideoID.ends) else { return nil }
    bits = packed << 4 | last
  }

  /// The length of an ID in characters.
  package static let length = 11
  private static let ends: StaticString = "048AEIMQUYcgkosw"

  /// Appends the 11 ASCII characters.
  package func append(to bytes: inout [UInt8]) {
    for shift in stride(from: 58, through: 4, by: -6) { bytes.append(SortableBase64.letter(Int(bits >> shift & 63))) }
    bytes.append(VideoID.ends.utf8Start[Int(bits & 15)])
  }
}

extension VideoID: LetteredID {
  package static func < (left: VideoID, right: VideoID) -> Bool { left.bits < right.bits }
}

/// Parsing of texts that name a video.
extension VideoID {
  /// Parses a video ID or URL, ignoring surrounding whitespace; throws if it names no video.
  ///
  /// Accepts a bare ID, `…/watch?v=ID` on any host, `youtu.be/ID`, and YouTube's `/shorts/ID`, `/live/ID`, `/embed/ID`,
  /// `/v/ID` and `/e/ID`, with anything after it.
  package init(naming text: some StringProtocol) throws(ReferenceError) {
    let text = text.withoutBlanks
    if let id = VideoID(text) {
      self = id
      return
    }
    let address = try WebAddress(text)
    guard let letters = VideoID.letters(in: address) else { throw address.isYouTube ? .namesNothing : .notYouTube }
    guard let video = VideoID(letters) else {
      throw address.isYouTube ? .badVideoID(letters.cut(toScalars: ReferenceError.evidenceLength)) : .notYouTube
    }
    self = video
  }

  /// The video that a URL names; nil if it names none.
  init?(in address: WebAddress) {
    guard let video = VideoID.letters(in: address).flatMap({ VideoID($0) }) else { return nil }
    self = video
  }

  /// The part of a URL where a video ID belongs; nil if it has none.
  private static func letters(in address: WebAddress) -> String? {
    if address.path.first == "watch", let value = address.value("v") { return value }
    guard address.isYouTube else { return nil }
    if address.isShortener { return address.path.first }
    guard let page = address.path.first, ["shorts", "live", "embed", "v", "e"].contains(page) else { return nil }
    return address.path.dropFirst().first
  }
}
