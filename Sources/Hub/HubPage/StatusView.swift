import Core
import Terminal

/// Recent polls, failures, gaps and the log.
package struct StatusView: Sendable {
  package struct Tile: Sendable {
    package var number: String
    package var label: String
    package var path: String?

    package init(_ number: String, _ label: String, path: String?) {
      (self.number, self.label, self.path) = (number, label, path)
    }
  }

  /// A recent poll.
  package struct Run: Sendable {
    package var ended: Timestamp
    package var checked: Int
    package var new: Int
    package var failed: Int
    package var gaps: Int
    package var took: String
    /// Why it stopped; empty if it did not.
    package var end: String

    package init(ended: Timestamp, checked: Int, new: Int, failed: Int, gaps: Int, took: String, end: String) {
      (self.ended, self.checked, self.new, self.failed) = (ended, checked, new, failed)
      (self.gaps, self.took, self.end) = (gaps, took, end)
    }
  }

  /// What is broken in the logs.
  package var damage: [String]
  package var outage: String?
  package var tiles: [Tile]
  /// When the next feed is due.
  package var next: [String]
  package var failing: [ChannelRow]
  package var gaps: [String]
  package var runs: [Run]
  /// The use of the Data API and the size of the log.
  package var remarks: [String]

  package init(
    damage: [String], outage: String?, tiles: [Tile], next: [String], failing: [ChannelRow], gaps: [String],
    runs: [Run], remarks: [String]
  ) {
    self.damage = damage
    (self.outage, self.tiles, self.next, self.failing) = (outage, tiles, next, failing)
    (self.gaps, self.runs, self.remarks) = (gaps, runs, remarks)
  }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    \#(damage.map { #"<div class="banner" role="alert"><p dir="auto">\#($0)</p></div>"# as HTML })
    \#(outage.map { #"<div class="banner" role="status"><p>\#($0)</p></div>"# as HTML })
    <div class="heading"><h1>Status</h1>\#(PollButton(frame: frame, text: next.joined(separator: ", ")).html)</div>
    <div class="tiles">\#(tiles.map(tile))</div>
    \#(failures(frame))
    \#(gapList)
    \#(table(frame))
    \#(remarkList)
    """#
  }

  private var remarkList: HTML {
    guard !remarks.isEmpty else { return "" }
    return #"""
      <section class="panel" aria-labelledby="remarks"><h2 id="remarks">Log</h2>\#(remarks.map { #"<p class="quiet" dir="auto">\#($0)</p>"# as HTML })</section>
      """#
  }

  private func tile(_ tile: Tile) -> HTML {
    let content: HTML = "<strong>\(tile.number)</strong><span>\(tile.label)</span>"
    guard let path = tile.path else { return #"<div class="tile">\#(content)</div>"# }
    return #"<a class="tile" href="\#(path)">\#(content)</a>"#
  }

  private func failures(_ frame: PageFrame) -> HTML {
    guard !failing.isEmpty else { return "" }
    let lines: [HTML] = failing.map { row in
      #"""
      <li><div class="name"><a href="/channels/\#(row.channel.description)" dir="auto">\#(row.title)</a><small>\#(ChannelFeedText(row: row, now: frame.now).health)</small></div></li>

      """#
    }
    return
      #"<section class="panel" aria-labelledby="failing"><h2 id="failing">Failing feeds</h2><ul class="rows">\#(lines)</ul></section>"#
  }

  private var gapList: HTML {
    guard !gaps.isEmpty else { return "" }
    let lines: [HTML] = gaps.map { #"<li dir="auto">\#($0)</li>"# }
    return
      #"<section class="panel" aria-labelledby="gaps"><h2 id="gaps">Gaps</h2><ul class="rows">\#(lines)</ul></section>"#
  }

  private func table(_ frame: PageFrame) -> HTML {
    guard !runs.isEmpty else { return "" }
    let rows: [HTML] = runs.map { run in
      #"""
      <tr><th scope="row"><time datetime="\#(run.ended.rfc3339)" title="\#(frame.now.long(run.ended))">\#(run.ended.short(at: frame.now))</time></th><td class="number">\#(run.checked)</td><td class="number">\#(run.new)</td><td class="number">\#(run.failed)</td><td class="number">\#(run.gaps)</td><td class="number">\#(run.took)</td><td>\#(run.end)</td></tr>

      """#
    }
    return #"""
      <section class="panel" aria-labelledby="runs"><h2 id="runs">Checks</h2><div class="table" role="region" aria-label="Recent checks" tabindex="0"><table><thead><tr><th scope="col">Checked</th><th scope="col" class="number">Feeds</th><th scope="col" class="number">New</th><th scope="col" class="number">Failed</th><th scope="col" class="number">Gaps</th><th scope="col" class="number">Took</th><th scope="col">Stopped by</th></tr></thead><tbody>
      \#(rows)</tbody></table></div></section>
      """#
  }
}
