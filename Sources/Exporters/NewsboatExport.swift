import Core

extension SubscriptionDocument {
  /// newsboat's `urls` file: one feed per line, with its tags and `"~Title"`; see newsboat(1), "Tags".
  ///
  /// Of the unresolved names only legacy user names have a feed (`user=`). A tag that begins with `~` or `!` would be
  /// parsed as a title or a flag and is left out; control characters become spaces, since a newline would end the line.
  package static func newsboat(of state: State) -> SubscriptionDocument {
    var document = SubscriptionDocument()
    for channel in state.followed {
      guard let path = channel.feed.path(of: channel.id) ?? FeedForm.channel.path(of: channel.id) else { continue }
      document.writeLine(path, title: channel.exportedTitle, tags: channel.tags)
    }
    for name in state.unresolved {
      if let path = ChannelName(description: name.handle)?.feedPath {
        document.writeLine(path, title: name.title ?? "", tags: name.tags ?? [])
      } else {
        document.leftOut += 1
      }
    }
    return document
  }

  private mutating func writeLine(_ path: String, title: String, tags: [String]) {
    write("https://www.youtube.com\(path)")
    for tag in tags {
      if tag.hasPrefix("~") || tag.hasPrefix("!") || tag.isEmpty {
        lost += 1
      } else {
        write(" \(SubscriptionDocument.quotedWord(tag))")
      }
    }
    if !title.isEmpty { write(" \(SubscriptionDocument.quotedWord("~" + title))") }
    write("\n")
    count += 1
  }

  /// A quoted string with quotes and backslashes escaped by a backslash.
  private static func quotedWord(_ text: String) -> String {
    var word = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": word.unicodeScalars.append(contentsOf: ["\\", scalar])
      case _ where scalar.properties.generalCategory == .control: word.append(" ")
      default: word.unicodeScalars.append(scalar)
      }
    }
    return word + "\""
  }
}
