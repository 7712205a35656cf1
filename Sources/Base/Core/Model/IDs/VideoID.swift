/// The ID of a video or of an entry of any other feed.
///
/// A video's: 11 base64url characters encoding 64 bits, so the last is one of sixteen; `^[\w-]{10}[AEIMQUYcgkosw048]$`,
/// such as `dQw4w9WgXcQ`. An entry's: `e` and 26 characters of base32 encoding 128 bits, of which the last is 1;
/// `^e[a-z2-7]{25}[emu4]$`. `<` is the order of the bits, of videos that of the strings
/// too, and videos come before entries.
package struct VideoID: Hashable, Sendable {
  /// Of a video the 64 packed bits, ten characters of six and one of four; of an entry the upper 64 bits.
  package let high: UInt64
  /// 0 of a video; of an entry the lower 64 bits, which are odd.
  package let low: UInt64

  /// Creates the ID of a video from its packed bits.
  package init(bits: UInt64) { (high, low) = (bits, 0) }

  /// Creates the ID of an entry from 128 bits; the last one is set, which tells it from a video's.
  package init(entry high: UInt64, _ low: UInt64) { (self.high, self.low) = (high, low | 1) }

  /// Whether it is the ID of an entry, which means nothing to YouTube.
  package var isEntry: Bool { low != 0 }

  /// The ID in YouTube's form; nil if it is an entry's. Whatever is sent to YouTube, or to programs that know only its
  /// videos, begins here.
  package var youTube: YouTubeVideoID? { isEntry ? nil : YouTubeVideoID(bits: high) }

  /// Parses exactly 11 or 27 ASCII bytes; nil if they are not an ID.
  package init?(_ bytes: Span<UInt8>) {
    if bytes.count == YouTubeVideoID.length {
      guard let video = YouTubeVideoID(bytes) else { return nil }
      self.init(bits: video.bits)
    } else {
      guard bytes.count == VideoID.maximumLength, bytes[0] == VideoID.entryLetter,
        let (high, low) = Base32.bits(bytes.extracting(droppingFirst: 1)), low & 1 == 1
      else { return nil }
      self.init(entry: high, low)
    }
  }

  /// Parses YouTube's form alone, exactly 11 ASCII bytes; nil for anything else.
  package init?(youTube bytes: Span<UInt8>) {
    guard let video = YouTubeVideoID(bytes) else { return nil }
    self.init(bits: video.bits)
  }

  /// Parses YouTube's form alone; nil for anything else.
  package init?(youTube text: some StringProtocol) {
    guard let video = YouTubeVideoID(text) else { return nil }
    self.init(bits: video.bits)
  }

  /// The length of a video's ID in characters.
  package static let length = YouTubeVideoID.length
  /// The length of an entry's ID in characters.
  package static let maximumLength = 1 + Base32.length
  private static let entryLetter = UInt8(ascii: "e")

  /// Appends the ASCII characters.
  package func append(to bytes: inout [UInt8]) {
    guard isEntry else { return YouTubeVideoID(bits: high).append(to: &bytes) }
    bytes.append(VideoID.entryLetter)
    Base32.append(high, low, to: &bytes)
  }
}

extension VideoID: LetteredID {
  package static func < (left: VideoID, right: VideoID) -> Bool {
    if left.isEntry != right.isEntry { return right.isEntry }
    return left.high != right.high ? left.high < right.high : left.low < right.low
  }
}

extension VideoID {
  /// The ID of an entry, derived from its feed and its key there; never changed, because logs contain it.
  ///
  /// The first 128 bits of SHA-256 over the feed's ID, a zero byte, the kind's name, a zero byte and the key.
  package init(of key: EntryKey, in feed: FeedID) {
    let message = Array("\(feed)\0\(key.kind.rawValue)\0\(key.text)".utf8)
    let (high, low) = SHA256.prefix(of: message)
    self.init(entry: high, low)
  }
}

/// Parsing of texts that name a video.
extension VideoID {
  /// Parses a video ID or URL, ignoring surrounding whitespace; throws if it names no video.
  ///
  /// Accepts a bare ID of a video or an entry, `…/watch?v=ID` on any host, `youtu.be/ID`, and YouTube's `/shorts/ID`,
  /// `/live/ID`, `/embed/ID`, `/v/ID` and `/e/ID`, with anything after it.
  package init(naming text: some StringProtocol) throws(ReferenceError) {
    let text = text.withoutBlanks
    if let id = VideoID(text) {
      self = id
      return
    }
    try self.init(youTubeNaming: text)
  }

  /// Parses the ID or URL of a video of YouTube, as `init(naming:)`; throws if it names none.
  package init(youTubeNaming text: some StringProtocol) throws(ReferenceError) {
    let text = text.withoutBlanks
    if let id = VideoID(youTube: text) {
      self = id
      return
    }
    let address = try WebAddress(text)
    guard let letters = VideoID.letters(in: address) else { throw address.isYouTube ? .namesNothing : .notYouTube }
    guard let video = VideoID(youTube: letters) else {
      throw address.isYouTube ? .badVideoID(letters.cut(toScalars: ReferenceError.evidenceLength)) : .notYouTube
    }
    self = video
  }

  /// The video that a URL names; nil if it names none.
  init?(in address: WebAddress) {
    guard let video = VideoID.letters(in: address).flatMap({ VideoID(youTube: $0) }) else { return nil }
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
