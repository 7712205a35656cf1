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
  package var bar: FilterBar
  /// Other lists that have what was searched for.
  package var elsewhere: [Choice]
  /// What is hidden, and the lists that show it.
  package var hidden: [Choice]
  /// Where a form marks all that match, and how many they are; nil if this page has all.
  package var markAll: (path: PagePath, count: Int)?
  /// Trouble with YouTube that lasts.
  package var outage: String?
  /// When the feeds were checked last, and with what result.
  package var checked: String
  /// What the end of the list says.
  package var end: String

  package init(
    list: VideoList, summary: String, bar: FilterBar, elsewhere: [Choice], hidden: [Choice],
    markAll: (path: PagePath, count: Int)?, outage: String?, checked: String, end: String
  ) {
    (self.list, self.summary, self.bar, self.elsewhere, self.hidden) = (list, summary, bar, elsewhere, hidden)
    (self.markAll, self.outage, self.checked, self.end) = (markAll, outage, checked, end)
  }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    \#(outage.map(FeedView.banner))
    <div class="heading list-head\#(" bare", if: bar.filters.isEmpty && elsewhere.isEmpty)">
    <h1>\#(frame.title)</h1>
    \#(bar.html)
    <div class="state"><p class="summary">\#(summary)</p>\#(PollButton(frame: frame, text: checked).html)</div>
    \#(bar.inForce)
    </div>
    \#(elsewhereLine)
    \#(list.html(in: frame))
    \#(list.next == nil ? endOfList : HTML())
    \#(FeedView.hiddenLine(hidden))
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

  private var elsewhereLine: HTML {
    guard !elsewhere.isEmpty else { return "" }
    let links: [HTML] = elsewhere.map { #"<li><a href="\#($0.path.description)">\#($0.text)</a></li>"# }
    return
      #"<div class="elsewhere"><span id="elsewhere-label">Also matching:</span><ul aria-labelledby="elsewhere-label">\#(links)</ul></div>"#
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
    <form class="poll" method="post" action="/poll"><input type="hidden" name="back" value="\#(frame.path.description)"><span class="checked">\#(text)</span><button aria-label="Check the feeds now" title="Check the feeds now. \#(text)">\#(Icon.renew)</button></form>
    """#
  }
}
