/// The exports on the settings view, by what they hold.
struct ExportsPanel {
  /// What no file but the archive holds: `3 notes, 2 rules`; nil if there is nothing.
  let onlyInArchive: String?
  /// What each format leaves out, by its name: `3 notes, 2 rules`.
  let leftOut: [String: String]

  var html: HTML {
    #"""
    <section class="panel" aria-labelledby="exports"><h2 id="exports">Export</h2>
    <p class="hint">Each file can be imported again, here or in the program it is named for.\#(onlyInArchive.map { #" Only the archive has your \#($0)."# as HTML })</p>
    <ul class="rows">\#(ExportsPanel.rows)</ul>\#(losses)</section>
    """#
  }

  /// What the files leave out, before one is downloaded.
  private var losses: HTML {
    let lines: [HTML] = ExportsPanel.names.compactMap { format, name in
      leftOut[format].map { #"<li><div class="name">\#(name)<small>\#($0)</small></div></li>"# }
    }
    guard !lines.isEmpty else { return "" }
    return
      #"<details id="left-out"><summary>What these files leave out</summary><ul class="rows">\#(lines)</ul></details>"#
  }

  private static let names: [(format: String, name: String)] = [
    ("archive", "Archive"), ("takeout-history", "History for Takeout"), ("freetube-history", "History for FreeTube"),
    ("takeout-playlists", "Collections for Takeout"), ("freetube-playlists", "Collections for FreeTube"),
    ("newpipe-backup", "NewPipe, all three"), ("invidious", "Invidious, all three"),
  ]

  private static let rows: [HTML] = [
    row(
      "Everything", "for another home or hub: videos, marks, notes, rules, tags",
      [button("archive", "metube-rss.zip", "Archive", of: "everything")]),
    row(
      "Subscriptions", "what you follow",
      [
        button("opml", "subscriptions.opml", "OPML", of: "subscriptions"),
        button("takeout-csv", "subscriptions.csv", "Takeout", of: "subscriptions"),
        button("newpipe", "newpipe.json", "NewPipe", of: "subscriptions"),
        button("freetube", "freetube.db", "FreeTube", of: "subscriptions"),
      ]),
    row(
      "History", "what you watched, and when",
      [
        button("takeout-history", "watch-history.json", "Takeout", of: "history"),
        button("freetube-history", "history.db", "FreeTube", of: "history"),
      ]),
    row(
      "Collections and saved videos", nil,
      [
        button("takeout-playlists", "takeout-playlists.zip", "Takeout", of: "collections"),
        button("freetube-playlists", "playlists.db", "FreeTube", of: "collections"),
      ]),
    row(
      "These three in one file", nil,
      [
        button("newpipe-backup", "newpipe.zip", "NewPipe", of: "subscriptions, history and collections"),
        button("invidious", "invidious.json", "Invidious", of: "subscriptions, history and collections"),
      ]),
    row(
      "Videos", "all that were found",
      [
        button("csv", "videos.csv", "CSV", of: "videos", query: "?all=true&shorts=show"),
        button("jsonl", "videos.jsonl", "JSON Lines", of: "videos", query: "?all=true&shorts=show"),
      ]),
  ]

  private static func row(_ title: String, _ hint: String?, _ buttons: [HTML]) -> HTML {
    #"""
    <li><div class="name">\#(title)\#(hint.map { #"<small>\#($0)</small>"# as HTML })</div><span class="buttons">\#(buttons)</span></li>

    """#
  }

  private static func button(
    _ format: String, _ file: String, _ label: String, of what: String, query: String = ""
  ) -> HTML {
    #"<a class="button" href="/api/v1/export/\#(format)\#(query)" download="\#(file)" aria-label="\#(label): \#(what)">\#(label)</a>"#
  }
}
