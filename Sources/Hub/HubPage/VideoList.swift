import Core
import Terminal

/// Videos under headings, with what marks several of them.
package struct VideoList: Sendable {
  /// What the headings name.
  package enum Grouping: Sendable { case days, channels, none }

  package var rows: [VideoRow]
  package var grouping: Grouping
  /// The path of the next page; nil on the last one.
  package var next: PagePath?
  /// The cursor in it.
  package var cursor: String
  /// The position up to which the log was read.
  package var token: String

  package init(_ rows: [VideoRow], by grouping: Grouping, next: PagePath?, cursor: String, token: String) {
    (self.rows, self.grouping, self.next, self.cursor, self.token) = (rows, grouping, next, cursor, token)
  }

  /// How many thumbnails are loaded at once: those that a wide screen shows first.
  private static let first = 4

  func html(in frame: PageFrame) -> HTML {
    var sections = HTML()
    var start = 0
    while start < rows.count {
      let key = key(rows[start], frame)
      let end = rows[start...].firstIndex { self.key($0, frame) != key } ?? rows.count
      sections += section(start..<end, key, in: frame)
      start = end
    }
    return #"""
      \#(VideoList.bulk(in: frame))
      <div id="list" data-cursor="\#(cursor)" data-changes="\#(token)"\#(#" data-by="days""#, if: grouping == .days)>
      \#(sections)</div>
      \#(next.map { #"<a rel="next" class="more" href="\#($0.description)">More videos</a>"# })
      """#
  }

  private func key(_ row: VideoRow, _ frame: PageFrame) -> String {
    switch grouping {
    case .days: row.isSeen ? frame.now.section(of: row.published).key : "unseen"
    case .channels: row.knownChannel?.description ?? row.channel.description
    case .none: ""
    }
  }

  private func section(_ range: Range<Int>, _ key: String, in frame: PageFrame) -> HTML {
    let cards = HTML(
      range.map { index in
        // Without script the page returns to where the reader was: the card after this one, which takes its place.
        let beside = index + 1 < rows.count ? rows[index + 1] : index > 0 ? rows[index - 1] : nil
        let back = beside.map { frame.path.at("v-\($0.video)") } ?? frame.path
        return VideoCard(row: rows[index], frame: frame, back: back, isFirst: index < VideoList.first).html
      })
    let row = rows[range.lowerBound]
    switch grouping {
    case .none:
      return #"""
        <section class="day" aria-labelledby="videos"><h2 class="vh" id="videos">Videos</h2>
        <div class="cards">
        \#(cards)</div></section>

        """#
    case .days:
      return #"""
        <section class="day" aria-labelledby="d-\#(key)"><h2 id="d-\#(key)">\#(row.isSeen ? frame.now.section(of: row.published).heading : "In no feed yet")</h2>
        <div class="cards">
        \#(cards)</div></section>

        """#
    case .channels:
      return #"""
        <section class="day" aria-labelledby="c-\#(key)"><h2 id="c-\#(key)" dir="auto"><a href="/channels/\#(key)">\#(row.channelTitle)</a></h2>
        <div class="cards">
        \#(cards)</div></section>

        """#
    }
  }

  /// What marks those selected, before the list so that it comes first in the order of tabs. It is seen once a box is
  /// checked.
  static func bulk(in frame: PageFrame) -> HTML {
    #"""
    <form id="bulk" class="bulk" method="post" action="/marks" aria-label="Mark the selected videos"><input type="hidden" name="back" value="\#(frame.path.description)"><output class="count"></output>
    <button name="action" value="watched">\#(Icon.watched)Watched</button>
    <button name="action" value="skip">\#(Icon.skip)Skip</button>
    <button name="action" value="snooze">\#(Icon.snooze)Snooze</button>
    <button name="action" value="save">\#(Icon.save)Save</button>
    <details><summary>More</summary><div class="sheet">
    <button name="action" value="new">\#(Icon.renew)New again</button>
    <button name="action" value="unsave">\#(Icon.skip)Not saved</button>
    <label for="bulk-collection">Collection</label><div class="inline"><input id="bulk-collection" name="collection" dir="auto" autocomplete="off"><button name="action" value="collect">Add</button></div>
    </div></details>
    </form>
    """#
  }

  /// A button that marks all of this page, which works without script too.
  func markAll(in frame: PageFrame, matching: (path: PagePath, count: Int)? = nil) -> HTML {
    let open = rows.filter { $0.status == .new }
    guard open.count > 1 else { return "" }
    func everything(_ list: (path: PagePath, count: Int)) -> HTML {
      #" <button class="quiet" formaction="\#(list.path.description)" name="all" value="true">Mark all \#(list.count) as watched</button>"#
    }
    let inputs: [HTML] = open.map { #"<input type="hidden" name="video" value="\#($0.video)">"# }
    return #"""
      <form class="all" method="post" action="/marks">\#(inputs)<input type="hidden" name="back" value="\#(frame.path.description)"><button name="action" value="watched">\#(Icon.watched)<span>Mark these <span class="count">\#(open.count)</span> as watched</span></button>\#(matching.map(everything))</form>
      """#
  }
}
