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

  /// The part of a URL where a video ID belongs; nil if it has none.
  private static func letters(in address: WebAddress) -> String? {
    if address.path.first == "watch", let value = address.value("v") { return value }
    guard address.isYouTube else { return nil }
    if address.isShortener { return address.path.first }
    guard let page = address.path.first, ["shorts", "live", "embed", "v", "e"].contains(page) else { return nil }
    return address.path.dropFirst().first
  }
}
