import Core
import Terminal

/// The Google account of a user: the login, what the daily synchronisation did, and what it asks.
package struct GoogleView: Sendable {
  package enum State: Sendable {
    /// The hub has no users: the terminal has the account.
    case noUsers
    /// The operator set no client at Google.
    case unavailable
    case disconnected
    /// The person is to type a code at Google.
    case device(code: String, page: String)
    /// The person is to go to Google.
    case leaving(page: String)
    case connected
    /// Google no longer accepts the login.
    case withdrawn
  }

  /// Unfollowing that waits for a yes.
  package struct Question: Sendable {
    package var text: String
    /// The titles of the channels.
    package var titles: [String]
    package var count: Int
    /// What distinguishes it from a later one.
    package var mark: String

    package init(text: String, titles: [String], count: Int, mark: String) {
      (self.text, self.titles, self.count, self.mark) = (text, titles, count, mark)
    }
  }

  /// What the last synchronisation did.
  package struct Report: Sendable {
    package var time: Timestamp
    /// `120 read, 3 followed, 2 unfollowed`; why it failed.
    package var text: String
    package var isFailure: Bool
    /// The action that undo takes back; nil if nothing changed.
    package var action: String?

    package init(time: Timestamp, text: String, isFailure: Bool, action: String?) {
      (self.time, self.text, self.isFailure, self.action) = (time, text, isFailure, action)
    }
  }

  package var state: State
  /// The title or the ID of the account's own channel.
  package var own: String?
  package var report: Report?
  package var question: Question?
  /// When the next synchronisation is due, and whether one runs.
  package var due: Timestamp?
  package var isRunning: Bool
  /// Why the last form led to nothing.
  package var problem: String?
  /// Whether Google did not respond when the account was being disconnected.
  package var offersForgetting: Bool

  package init(state: State, problem: String?) {
    (self.state, self.problem) = (state, problem)
    (isRunning, offersForgetting) = (false, false)
  }

  package static let path = PagePath(["settings", "google"])

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <div class="heading"><h1>Google account</h1>\#(own.map { #"<p class="summary" dir="auto">\#($0)</p>"# as HTML })</div>
    \#(problem.map { #"<p class="notice problem" role="alert">\#($0)</p>"# as HTML })
    \#(question.map(asked))
    \#(content)
    \#(report.map { shown($0, frame) })
    \#(isConnected ? ending : HTML())
    <p class="hint after"><a href="/settings">Settings</a></p>
    """#
  }

  private var isConnected: Bool {
    switch state {
    case .connected, .withdrawn: true
    default: false
    }
  }

  private static let promise: HTML = #"""
    <p class="hint">Once a day the hub reads which channels you subscribe to at YouTube, follows the new ones, and unfollows those that you unsubscribed from there, but only if they came from there. It cannot change anything at YouTube, and reads nothing but your subscriptions and which channel is yours. The videos of your own channel are hidden by a <a href="/rules">rule</a>. You can undo each synchronisation.</p>
    """#

  private var content: HTML {
    switch state {
    case .noUsers:
      #"<p class="quiet">This hub has no users. In the terminal, <code>metube-rss login google</code> connects your account, and <code>METUBE_RSS_GOOGLE_SYNC=yes</code> keeps the subscriptions in step.</p>"#
    case .unavailable:
      #"<p class="quiet">The operator of this hub has not registered it at Google, so no account can be connected.</p>"#
    case .disconnected:
      #"""
      <section class="panel" aria-labelledby="connect"><h2 id="connect">Not connected</h2>\#(GoogleView.promise)\#(form("connect", "Connect", isMain: true))</section>
      """#
    case .device(let code, let page):
      #"""
      <section class="panel" aria-labelledby="code"><h2 id="code">Enter this code at Google</h2><p class="hint">Open <a href="\#(page)" rel="noopener noreferrer" target="_blank">\#(page)</a> on any device, enter the code, and come back.</p><code class="address" tabindex="0">\#(code)</code><div class="buttons after">\#(form("check", "I entered it", isMain: true))\#(form("cancel", "Cancel", isMain: false))</div></section>
      """#
    case .leaving(let page):
      #"""
      <section class="panel" aria-labelledby="leave"><h2 id="leave">Sign in at Google</h2><p class="hint">Google asks whether this hub may see your YouTube account, and leads you back here. That works for ten minutes, in this browser.</p><p class="buttons"><a class="button main" href="\#(page)" rel="noreferrer">Go to Google</a></p></section>
      """#
    case .connected:
      #"""
      <section class="panel" aria-labelledby="connected"><h2 id="connected">Connected</h2>\#(GoogleView.promise)\#(isRunning ? #"<p role="status">The subscriptions are being read; look again in a moment.</p>"# : form("sync", "Synchronise now", isMain: false))</section>
      """#
    case .withdrawn:
      #"""
      <section class="panel" aria-labelledby="withdrawn"><h2 id="withdrawn">Sign in again</h2><p class="notice problem" role="alert">Google no longer accepts the login: it was withdrawn, or has expired. Nothing is requested until you sign in again; your channels stay as they are.</p>\#(form("connect", "Sign in again", isMain: true))</section>
      """#
    }
  }

  /// A form with one button.
  private func form(_ action: String, _ label: String, isMain: Bool) -> HTML {
    #"<form method="post" action="/settings/google"><button\#(#" class="main""#, if: isMain) name="action" value="\#(action)">\#(label)</button></form>"#
  }

  private func asked(_ question: Question) -> HTML {
    let lines: [HTML] = question.titles.map { #"<li dir="auto">\#($0)</li>"# }
    let more = question.count - question.titles.count
    return #"""
      <section class="panel aside" aria-labelledby="question"><h2 id="question">Unfollow \#(question.count == 1 ? "1 channel" : "\(question.count) channels")?</h2><p>\#(question.text). Nothing was unfollowed.</p>
      <details class="field"><summary>Which</summary><ul>\#(lines)\#(#"<li>and \#("\(more)") more</li>"#, if: more > 0)</ul></details>
      <form class="buttons after" method="post" action="/settings/google"><input type="hidden" name="question" value="\#(question.mark)"><button class="bad" name="action" value="unfollow">Unfollow them</button><button name="action" value="keep">Keep them</button></form>
      <p class="hint after">If you keep them, they stay followed, whatever the account’s list says. If the list was wrong, wait: this question disappears once a list contains them again.</p></section>
      """#
  }

  private func shown(_ report: Report, _ frame: PageFrame) -> HTML {
    let undo: HTML? = report.action.map { action in
      #"""
      <form class="after" method="post" action="/undo"><input type="hidden" name="action" value="\#(action)"><input type="hidden" name="back" value="\#(GoogleView.path.description)"><button>\#(Icon.undo)Undo</button></form>
      """#
    }
    return #"""
      <section class="panel" aria-labelledby="last"><h2 id="last">Last synchronisation</h2><p>\#(frame.now.moment(report.time)): \#("failed: ", if: report.isFailure)\#(report.text).</p>\#(due.map { #"<p class="hint">The next one: \#(frame.now.moment($0)).</p>"# as HTML })\#(undo)</section>
      """#
  }

  private var ending: HTML {
    #"""
    <section class="panel" aria-labelledby="end"><h2 id="end">Disconnect</h2><p class="hint">The login ends at Google too. Your channels stay.</p><div class="buttons"><form method="post" action="/settings/google"><button class="bad" name="action" value="disconnect">Disconnect</button></form>\#(offersForgetting ? form("forget", "Forget it here only", isMain: false) : HTML())</div></section>
    """#
  }
}
