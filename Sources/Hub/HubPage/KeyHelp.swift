/// The tables of keys, which the script opens.
enum KeyHelp {
  private typealias Key = (keys: [HTML], text: HTML)

  private static let moving: [Key] = [
    (["<kbd>j</kbd>", "<kbd>k</kbd>"], "next, previous video"), (["<kbd>/</kbd>"], "search"),
    (["<kbd>f</kbd>"], "filter"),
    (["<kbd>g</kbd> then <kbd>f</kbd> <kbd>c</kbd> <kbd>s</kbd> <kbd>h</kbd>"], "go to feed, channels, saved, history"),
    (["<kbd>r</kbd>"], "check the feeds now"), (["<kbd>?</kbd>"], "this help"),
  ]

  private static let marking: [Key] = [
    (["<kbd>m</kbd>", "<kbd>x</kbd>"], "watched, skip, and on"), (["<kbd>s</kbd>"], "save"),
    (["<kbd>t</kbd>", "<kbd>z</kbd>", "<kbd>w</kbd>"], "snooze until tonight, tomorrow, the weekend"),
    (["<kbd>Z</kbd>"], "snooze until a day"), (["<kbd>e</kbd>", "<kbd>c</kbd>"], "write a note, add to a collection"),
    (["<kbd>A</kbd>"], "everything above watched"), (["<kbd>u</kbd>"], "undo, any number of steps"),
  ]

  private static let choosing: [Key] = [
    (["<kbd>.</kbd>"], "menu of the video"), (["<kbd>a</kbd>"], "select; marks apply to all that is selected"),
    (["<kbd>J</kbd>", "<kbd>K</kbd>"], "select, and on"), (["<kbd>b</kbd>"], "to the bar of what is selected"),
    (["<kbd>Esc</kbd>"], "select nothing"),
  ]

  private static let playing: [Key] = [
    (["<kbd>o</kbd>", "<kbd>Enter</kbd>"], "play"), (["<kbd>i</kbd>"], "details, without playing"),
    (["<kbd>v</kbd>"], "open on YouTube"), (["<kbd>n</kbd>", "<kbd>p</kbd>"], "next, previous"),
    (["<kbd>Space</kbd>", "<kbd>←</kbd>", "<kbd>→</kbd>"], "pause, 10 seconds back, forward"),
  ]

  /// The dialog.
  static let html: HTML = #"""
    <dialog id="help" aria-labelledby="help-title"><form class="drawer-head" method="dialog"><h2 id="help-title">Keys</h2><button>Close</button></form>
    <div class="keys">
    \#(table("Move", moving))\#(table("Mark", marking))\#(table("Choose", choosing))\#(table("Play", playing))</div></dialog>
    """#

  private static func table(_ caption: HTML, _ keys: [Key]) -> HTML {
    let rows: [HTML] = keys.map { keys, text in
      let joined = HTML(keys.enumerated().map { $0.offset == 0 ? $0.element : " \($0.element)" as HTML })
      return "<tr><th scope=\"row\">\(joined)</th><td>\(text)</td></tr>\n"
    }
    return "<table><caption>\(caption)</caption><tbody>\n\(rows)</tbody></table>\n"
  }
}
