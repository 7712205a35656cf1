import Core
import Terminal

/// A list without filters: saved videos.
package struct PlainListView: Sendable {
  package var list: VideoList
  package var summary: String
  /// What an empty list says.
  package var empty: String

  package init(list: VideoList, summary: String, empty: String) {
    (self.list, self.summary, self.empty) = (list, summary, empty)
  }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <div class="heading"><h1 dir="auto">\#(frame.title)</h1><p class="summary">\#(summary)</p></div>
    \#(list.html(in: frame))
    \#(#"<p class="end">\#(empty)</p>"#, if: list.rows.isEmpty)
    """#
  }
}

/// The collections.
package struct CollectionsView: Sendable {
  /// Names, how many videos each has, and descriptions.
  package var rows: [(name: String, count: Int, description: String)]

  package init(rows: [(name: String, count: Int, description: String)]) { self.rows = rows }

  package func html(in frame: PageFrame) -> HTML {
    let lines: [HTML] = rows.map { name, count, description in
      let path = name == "saved" ? PagePath(["saved"]) : PagePath(["collections", name])
      return
        #"<a class="tile" href="\#(path.description)"><strong dir="auto">\#(name)</strong>\#(#"<span dir="auto">\#(description)</span> "#, if: !description.isEmpty)<span>\#(count) video\#("s", if: count != 1)</span></a>"#
    }
    return #"""
      <div class="heading"><h1>Collections</h1><p class="summary">\#(rows.count)</p></div>
      <div class="tiles">\#(lines)</div>
      <p class="end">\#(rows.isEmpty ? "No collections yet. " : "")Add a video to a collection on its own page.</p>
      <section class="panel aside" aria-labelledby="new-collection"><h2 id="new-collection">New collection</h2>
      <form method="post" action="/collections"><div class="fields">
      \#(Fields.text("collection", "Name", value: "", hint: nil, isRequired: true))
      \#(Fields.text("description", "Description", value: "", hint: nil))
      </div><div class="buttons"><button class="main">\#(Icon.add)Create</button></div></form></section>
      """#
  }
}

/// One collection.
package struct CollectionView: Sendable {
  package var name: String
  package var description: String
  package var list: VideoList
  package var count: Int

  package init(name: String, description: String, list: VideoList, count: Int) {
    (self.name, self.description, self.list, self.count) = (name, description, list, count)
  }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <div class="heading"><h1 dir="auto">\#(name)</h1><p class="summary">\#(count) video\#("s", if: count != 1)</p></div>
    \#(#"<p class="meta" dir="auto">\#(description)</p>"#, if: !description.isEmpty)
    <details class="aside field"><summary>Settings</summary>
    <form method="post" action="\#(PagePath(["collections", name]).description)">
    <div class="fields">
    \#(Fields.text("collection", "Name", value: name, hint: nil, isRequired: true))
    \#(Fields.text("description", "Description", value: description, hint: nil))
    </div>
    <div class="buttons"><button class="main" name="action" value="set">Save settings</button><button class="bad" name="action" value="delete">Delete the collection</button></div>
    </form></details>
    \#(list.html(in: frame))
    \#(#"<p class="end">No videos in it yet. Add a video on its own page.</p>"#, if: list.rows.isEmpty)
    """#
  }
}

/// The videos watched, most recent first.
package struct HistoryView: Sendable {
  package var rows: [WatchedRow]
  /// How many were watched, whatever the limit.
  package var count: Int
  /// The path of the next page; nil on the last one.
  package var next: PagePath?
  package var token: String

  package init(rows: [WatchedRow], count: Int, next: PagePath?, token: String) {
    (self.rows, self.count, self.next, self.token) = (rows, count, next, token)
  }

  package func html(in frame: PageFrame) -> HTML {
    var sections = HTML()
    var start = 0
    while start < rows.count {
      let (day, heading) = frame.now.section(of: rows[start].watched)
      let end = rows[start...].firstIndex { frame.now.section(of: $0.watched).key != day } ?? rows.count
      let cards: [HTML] = rows[start..<end].map {
        VideoCard(row: $0.row, frame: frame, back: frame.path.at("v-\($0.row.video)")).html
      }
      sections += #"""
        <section class="day" aria-labelledby="d-\#(day)"><h2 id="d-\#(day)">\#(heading)</h2>
        <div class="cards">\#(cards)</div></section>

        """#
      start = end
    }
    return #"""
      <div class="heading"><h1>History</h1><p class="summary">\#(count) watched</p></div>
      <div id="list" data-cursor="" data-changes="\#(token)">
      \#(sections)</div>
      \#(VideoList.bulk(in: frame))
      \#(next.map { #"<a rel="next" class="more" href="\#($0.description)">Earlier</a>"# })
      \#(#"<p class="end">Nothing watched yet.</p>"#, if: rows.isEmpty)
      """#
  }
}
