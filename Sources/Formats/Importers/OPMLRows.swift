import Core

/// Interprets the outlines of an OPML document as rows; nested folders and categories become tags.
enum OPMLRows {
  /// Adds every outline of a document to `builder`, with `takesFeeds` also the feeds of other sites.
  static func read(
    _ outlines: [Outline], takesFeeds: Bool, into builder: inout ImportBuilder
  ) throws(ImportError) {
    let wrapper = wrapper(of: outlines)
    let web = takesFeeds ? WebOutlines.read(outlines) : WebOutlines.Content()
    try builder.add(web)
    for outline in outlines {
      let address = address(of: outline)
      if takesFeeds, WebOutlines.isFeed(outline) { continue }
      if address.isEmpty {
        try builder.refuse(.empty, line: outline.line)
      } else if ChannelReference.isYouTube(address) {
        try builder.subscribe(
          to: address, title: outline.title, tags: tags(of: outline, wrapper: wrapper), line: outline.line)
      } else {
        try builder.pass(address, line: outline.line)
      }
    }
  }

  /// The tags of an outline: its folders without the wrapper, and its categories.
  static func tags(of outline: Outline, wrapper: String?) -> [String] {
    let folders = outline.folders.dropFirst(wrapper == nil ? 0 : 1)
    // What a program names the wrapper it does not make a category.
    let categories = outline.categories.map(category)
    let isTag = wrapper.map(categories.contains) ?? false
    return ((isTag ? outline.folders[...] : folders) + categories).filter { !wrappers.contains($0) }
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

  /// Names of such folders that also occur beside others.
  private static let wrappers: Set<String> = ["YouTube Subscriptions", "Invidious Subscriptions"]

  /// The folder that a program wrapped around all channels, in whatever language; it is not a tag. Nil if there are
  /// others beside it.
  static func wrapper(of outlines: [Outline]) -> String? {
    guard let first = outlines.first?.folders.first, outlines.allSatisfy({ $0.folders.first == first }) else {
      return nil
    }
    return first
  }
}
