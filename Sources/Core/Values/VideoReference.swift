/// The texts that name a video.
extension VideoID {
  /// The video named by a whole text but for blanks around it; throws why it names none.
  ///
  /// Understood are the id alone and the addresses `…/watch?v=ID` on any host, `youtu.be/ID`, and YouTube's
  /// `/shorts/ID`, `/live/ID`, `/embed/ID`, `/v/ID` and `/e/ID`, whatever follows.
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

  /// What stands in an address where a video's id belongs.
  private static func letters(in address: WebAddress) -> String? {
    if address.path.first == "watch", let value = address.value("v") { return value }
    guard address.isYouTube else { return nil }
    if address.isShortener { return address.path.first }
    guard let page = address.path.first, ["shorts", "live", "embed", "v", "e"].contains(page) else { return nil }
    return address.path.dropFirst().first
  }
}
