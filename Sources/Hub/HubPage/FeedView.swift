import Core
import Terminal

/// The feed, and every other list with filters.
package struct FeedView: Sendable {
  /// A way to another list.
  package struct Choice: Sendable {
    package var text: String
    package var path: PagePath
    package var isChosen: Bool

    package init(_ text: String, _ path: PagePath, isChosen: Bool) {
      (self.text, self.path, self.isChosen) = (text, path, isChosen)
    }
  }

  package var list: VideoList
  /// How many match: `124 new videos`.
  package var summary: String
  package var modes: [Choice]
  package var statuses: [Choice]
  package var tags: [Choice]
  /// What is hidden, and the lists that show it.
  package var hidden: [Choice]
  /// Filters in force, each with the list without it.
  package var filters: [Choice]
  /// Where a form marks all that match, and how many they are; nil if this page has all.
  package var markAll: (path: PagePath, count: Int)?
  /// Trouble with YouTube that lasts.
  package var outage: String?
  /// When the feeds were checked last, and with what result.
  package var checked: String
  /// What the end of the list says.
  package var end: String

  package init(
    list: VideoList, summary: String, modes: [Choice], statuses: [Choice], tags: [Choice], hidden: [Choice],
    filters: [Choice], markAll: (path: PagePath, count: Int)?, outage: String?, checked: String, end: String
  ) {
    (self.list, self.summary, self.modes, self.statuses, self.tags) = (list, summary, modes, statuses, tags)
    (self.hidden, self.filters, self.markAll) = (hidden, filters, markAll)
    (self.outage, self.checked, self.end) = (outage, checked, end)
  }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    \#(outage.map(FeedView.banner))
    <div class="heading"><h1>\#(frame.title)</h1><p class="summary">\#(summary)</p>\#(PollButton(frame: frame, text: checked).html)</div>
    <div class="choices">
    \#(FeedView.row("Order", modes))
    \#(FeedView.row("Tags", tags))
    \#(FeedView.row("Status", statuses))
    </div>
    \#(FeedView.filterRow(filters))
    \#(FeedView.hiddenLine(hidden))
    \#(list.html(in: frame))
    \#(list.next == nil ? endOfList : HTML())
    \#(list.markAll(in: frame, matching: markAll))
    """#
  }

  static func banner(_ text: String) -> HTML {
    #"<div class="banner" role="status"><p>\#(text)</p> <a href="/status">Details</a></div>"#
  }

  static func row(_ name: String, _ choices: [Choice]) -> HTML {
    guard choices.count > 1 else { return "" }
    let links: [HTML] = choices.map { choice in
      #"<li><a href="\#(choice.path.description)"\#(#" aria-current="true""#, if: choice.isChosen) dir="auto">\#(choice.text)</a></li>"#
    }
    return #"<nav class="tabs" aria-label="\#(name)"><ul>\#(links)</ul></nav>"#
  }

  static func filterRow(_ filters: [Choice]) -> HTML {
    guard !filters.isEmpty else { return "" }
    let links: [HTML] = filters.map { filter in
      #"<li><a href="\#(filter.path.description)" title="Remove this filter"><bdi>\#(filter.text)</bdi>\#(Icon.skip)<span class="vh">remove this filter</span></a></li>"#
    }
    return #"<nav class="filters" aria-label="Filters"><ul>\#(links)</ul></nav>"#
  }

  static func hiddenLine(_ hidden: [Choice]) -> HTML {
    guard !hidden.isEmpty else { return "" }
    let links: [HTML] = hidden.map { #"<li><a href="\#($0.path.description)">\#($0.text)</a></li>"# }
    return
      #"<div class="hidden-line"><span id="hidden-label">Not shown:</span><ul aria-labelledby="hidden-label">\#(links)</ul></div>"#
  }

  private var endOfList: HTML { #"<p class="end">\#(end)</p>"# }
}

/// When the feeds were checked, and the button that checks them.
struct PollButton {
  let frame: PageFrame
  let text: String

  /// The button with its text, beside what was followed.
  var labelled: HTML {
    #"""
    <form method="post" action="/poll"><input type="hidden" name="back" value="\#(frame.path.description)"><button>\#(Icon.renew)Check now</button></form>
    """#
  }

  var html: HTML {
    #"""
    <form class="poll" method="post" action="/poll"><input type="hidden" name="back" value="\#(frame.path.description)"><span class="checked">\#(text)</span><button aria-label="Check the feeds now" title="Check the feeds now">\#(Icon.renew)</button></form>
    """#
  }
}
