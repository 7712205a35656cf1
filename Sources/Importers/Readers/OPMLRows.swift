import Core

/// Interprets the outlines of an OPML document as rows; nested folders and categories become tags.
enum OPMLRows {
  /// Adds every outline of a document to `builder`.
  static func read(_ outlines: [Outline], into builder: inout ImportBuilder) throws(ImportError) {
    for outline in outlines {
      let address = address(of: outline)
      if address.isEmpty {
        try builder.refuse(.empty, line: outline.line)
      } else if ChannelReference.isYouTube(address) {
        let tags = (outline.folders + outline.categories.map(category)).filter { !wrappers.contains($0) }
        try builder.subscribe(to: address, title: outline.title, tags: tags, line: outline.line)
      } else {
        try builder.pass(address, line: outline.line)
      }
    }
  }

  /// The most informative address: `xmlUrl`, or `htmlUrl` if YouTube's own `xmlUrl` lacks the ID (`user=`, a handle)
  /// and `htmlUrl` has it.
  ///
  /// Never `htmlUrl` if `xmlUrl` is another site's: a podcast whose web page is a channel is not a subscription to that
  /// channel.
  private static func address(of outline: Outline) -> Substring {
    guard let feed = outline.xmlURL?.withoutBlanks, !feed.isEmpty else { return (outline.htmlURL ?? "").withoutBlanks }
    guard let page = outline.htmlURL, ChannelReference.isYouTube(feed),
      ChannelReference.subscription(in: feed) == nil, ChannelReference.subscription(in: page) != nil
    else { return feed }
    return page.withoutBlanks
  }

  /// A category without the leading `/` of OPML 2.0.
  private static func category(_ text: String) -> String { text.hasPrefix("/") ? String(text.dropFirst()) : text }

  /// Folders that programs wrap around all channels; they are not tags.
  private static let wrappers: Set<String> = ["YouTube Subscriptions", "Invidious Subscriptions"]
}
