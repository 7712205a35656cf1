/// The keys of the full-screen view, for its help and that of the command.
enum BrowseHelp {
  private static let keys: [(keys: String, meaning: String)] = [
    ("j k, arrows", "down, up"),
    ("PgDn PgUp, Space b", "a screen down, up"),
    ("Home End, g G", "to the first, to the last video"),
    ("Enter", "play the video, as play does"),
    ("m", "mark watched; a watched one new again"),
    ("x", "skip; a skipped one is new again"),
    ("s", "save for later; a saved one no longer"),
    ("z", "snooze: 3d, tomorrow, 2026-12-24"),
    ("u", "undo the last action, as undo does"),
    ("c", "only this channel; again: all channels"),
    ("/", "search; an empty text ends it"),
    ("f", "filters: status, tag, Shorts, live, order"),
    ("Esc", "drop all filters"),
    ("d", "everything known, and the description"),
    ("v", "open the video's page in the browser"),
    ("r", "poll now; again: stop the poll"),
    ("!", "the latest messages"),
    ("?", "these keys"),
    ("Ctrl-L", "draw the screen anew"),
    ("q Q", "quit"),
    ("mouse", "click: choose; twice: play; wheel: scroll"),
  ]

  private static let indent = 20

  /// A line for each key; two where the screen is narrow.
  static func lines(width: Int) -> [String] {
    keys.flatMap { keys, meaning in
      width < narrow
        ? [keys, "    " + meaning] : [keys + String(repeating: " ", count: indent - keys.utf8.count) + meaning]
    }
  }

  /// Below this many columns, meanings go on separate lines.
  private static let narrow = 64

  /// For the bottom line, the most useful ones first.
  static let hints = [
    "? help", "m watched", "x skip", "s save", "z snooze", "u undo", "q quit", "Enter play", "/ search", "f filter",
    "r poll",
  ]
}
