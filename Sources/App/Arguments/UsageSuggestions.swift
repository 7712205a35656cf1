import App

/// Suggestions for an invalid command line.
package enum UsageSuggestions {
  /// Command names of other programs, and ours to suggest instead.
  private static let synonyms: [(names: [String], here: String)] = [
    (["ls", "videos", "new", "unread", "feed"], "list"),
    (["search", "find", "grep"], "list --search"),
    (["tags", "tag"], "channels, list --tag or channel set --tag"),
    (["subscriptions", "subs", "feeds"], "channels"),
    (["subscribe", "sub", "add"], "follow"),
    (["unsubscribe", "unsub", "remove", "rm", "delete"], "unfollow"),
    (["update", "fetch", "refresh", "reload", "sync", "pull"], "poll"),
    (["watch", "open", "view"], "play"),
    (["mark", "read", "seen", "done"], "watched"),
    (["unmark", "unseen"], "unwatched"),
    (["hide", "ignore", "dismiss"], "skip"),
    (["later", "star", "favorite", "favourite", "bookmark"], "save"),
    (["unstar"], "unsave"),
    (["resume", "position"], "progress"),
    (["info", "description"], "show"),
    (["collections", "playlist", "playlists"], "collection"),
    (["rules", "filter", "filters", "block", "allow", "mute"], "rule"),
    (["cron", "service", "schedule", "daemon"], "timer"),
    (["verify", "repair", "compact", "merge"], "log"),
    (["opml", "atom", "rss", "csv", "json"], "export"),
    (["stats", "state"], "status"),
    (["settings", "setting", "options", "preferences", "configure"], "config"),
    (["more", "next"], "list --next"),
  ]

  /// The command to suggest for an unknown one: `list --search`; nil if none is similar.
  package static func command(for word: String, of commands: [String]) -> String? {
    let word = word.lowercased()
    if let here = synonyms.first(where: { $0.names.contains(word) })?.here { return here }
    if word.count > 2, let whole = commands.first(where: { $0.hasPrefix(word) }) { return whole }
    if let near = Spelling.nearest(to: word, of: commands) { return near }
    // A longer word: the command with the most first letters in common.
    let common = commands.map { name in (name: name, count: zip(name, word).prefix { $0 == $1 }.count) }
    return common.max { $0.count < $1.count }.flatMap { $0.count > 2 ? $0.name : nil }
  }

  /// Hints for commands that are often given an unexpected word.
  private static let hints: [(command: [String], hint: String)] = [
    (["list"], "Filter with options: list --channel NAME, list --tag TAG, list --search WORDS."),
    (["history"], "For one video: why VIDEO; to search watched videos: history --search WORDS."),
    (["channels"], "Channels with a tag: channels --tag TAG; videos of a channel: list --channel NAME."),
    (["channel"], "To change a channel's settings: channel set NAME, with its options."),
    (["collection"], "To list a collection: collection show NAME."),
    (["rule"], "For example: rule add block --contains WORDS."),
    (
      ["export"],
      "Formats: \(ExportCommand.formats.joined(separator: ", "))."
    ),
  ]

  /// Options of other programs, and ours to suggest instead.
  private static let options: [(there: String, here: String)] = [
    ("--json", "--format json"), ("--csv", "--format csv"), ("--reverse", "--oldest"),
    ("--asc", "--oldest"), ("--count", "--limit"), ("--number", "--limit"), ("--days", "--since 3d"),
    ("--silent", "--quiet"), ("--unread", "--unwatched"), ("--read", "--watched"),
  ]

  /// A parser message that suggests our option for another program's, instead of one with similar letters.
  package static func replacingOptions(in message: String) -> String {
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let option = options.first(where: { lines[0].hasPrefix("Error: Unknown option '\($0.there)'") }) {
      lines[0] = "Error: Unknown option '\(option.there)'. Did you mean '\(option.here)'?"
    }
    return lines.joined(separator: "\n")
  }

  /// The hint for an unexpected word after these arguments, if any.
  package static func hint(after arguments: [String]) -> String? {
    hints.first { arguments.starts(with: $0.command) }?.hint
  }
}

/// The usage of a command, which ArgumentParser writes on one line of any length.
package enum UsageLine {
  /// A help text with its usage line wrapped between options to at most `width` columns, and without the word
  /// SUBCOMMANDS behind the title of each group of commands.
  package static func broken(_ text: String, within width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let isUsage = line.hasPrefix("USAGE: ") || line.hasPrefix("Usage: ")
      if line.hasSuffix(" SUBCOMMANDS:") { return "\(line.dropLast(" SUBCOMMANDS:".count)):" }
      return isUsage && line.count > width ? lines(tokens(line), within: width) : String(line)
    }.joined(separator: "\n")
  }

  /// The words of a usage line; a bracketed group is one word: `[--home <dir>]`.
  private static func tokens(_ line: Substring) -> [String] {
    var (tokens, word, depth) = ([String](), "", 0)
    for letter in line {
      if letter == "[" || letter == "<" { depth += 1 }
      if letter == "]" || letter == ">" { depth -= 1 }
      if letter == " ", depth == 0 {
        tokens.append(word)
        word = ""
      } else {
        word.append(letter)
      }
    }
    return tokens + [word]
  }

  private static func lines(_ tokens: [String], within width: Int) -> String {
    var lines = [tokens[0]]
    for word in tokens.dropFirst() {
      if lines[lines.count - 1].count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append("       " + word)
      }
    }
    return lines.joined(separator: "\n")
  }
}
