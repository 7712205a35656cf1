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
  /// One of them.
  package struct Row: Sendable {
    package var name: String
    package var count: Int
    package var description: String
    /// Videos whose pictures make its cover: at most four.
    package var cover: [VideoID]

    package init(name: String, count: Int, description: String, cover: [VideoID]) {
      (self.name, self.count, self.description, self.cover) = (name, count, description, cover)
    }
  }

  package var rows: [Row]

  package init(rows: [Row]) { self.rows = rows }

  package func html(in frame: PageFrame) -> HTML {
    let lines: [HTML] = rows.map { row in
      let isSaved = row.name == "saved"
      let path = isSaved ? PagePath(["saved"]) : PagePath(["collections", row.name])
      return
        #"<a class="tile covered" href="\#(path.description)">\#(cover(row, frame))<strong dir="auto">\#(isSaved ? "Saved" : row.name)</strong>\#(#"<span dir="auto">\#(row.description)</span> "#, if: !row.description.isEmpty)<span>\#(row.count) video\#("s", if: row.count != 1)</span></a>"#
    }
    return #"""
      <div class="heading"><h1>Collections</h1><p class="summary">\#(rows.count)</p></div>
      <div class="tiles">\#(lines)</div>
      <p class="end">\#(rows.isEmpty ? "No collections yet. " : "")Add videos to a collection by their menus, or on their own pages.</p>
      <section class="panel aside" aria-labelledby="new-collection"><h2 id="new-collection">New collection</h2>
      <form method="post" action="/collections"><div class="fields">
      \#(Fields.text("collection", "Name", value: "", hint: nil, isRequired: true))
      \#(Fields.text("description", "Description", value: "", hint: nil))
      </div><div class="buttons"><button class="main">\#(Icon.add)Create</button></div></form></section>
      """#
  }
}

extension CollectionsView {
  private func cover(_ row: Row, _ frame: PageFrame) -> HTML {
    let pictures: [HTML] = row.cover.prefix(4).map {
      #"<img src="\#(frame.settings.cover(of: $0))" alt="" width="320" height="180" loading="lazy" decoding="async">"#
    }
    return #"<span class="cover\#(" single", if: pictures.count == 1)">\#(pictures)</span>"#
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
      <div class="heading"><h1>History</h1><p class="summary">\#(count) watched</p><a class="aside-link" href="/undo">Undo earlier steps</a></div>
      \#(VideoList.bulk(in: frame))
      <div id="list" data-cursor="" data-changes="\#(token)">
      \#(sections)</div>
      \#(next.map { #"<a rel="next" class="more" href="\#($0.description)">Earlier</a>"# })
      \#(#"<p class="end">Nothing watched yet.</p>"#, if: rows.isEmpty)
      """#
  }
}
