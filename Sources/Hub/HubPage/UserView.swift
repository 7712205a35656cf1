import Core
import Terminal

/// One user, for administrators: what the user uses, and what may be changed.
package struct UserView: Sendable {
  /// What the user's log and the polls of its feeds show.
  package struct Figures: Sendable {
    package var subscriptions: Int
    package var videos: Int
    package var failing: Int
    /// The end of the last poll that the user's log or the catalogue knows.
    package var lastPoll: Timestamp?
    /// What is broken in the logs that the user reads.
    package var damage: [String]

    package init(subscriptions: Int, videos: Int, failing: Int, lastPoll: Timestamp?, damage: [String]) {
      (self.subscriptions, self.videos, self.failing) = (subscriptions, videos, failing)
      (self.lastPoll, self.damage) = (lastPoll, damage)
    }
  }

  /// What the form that was sent last led to.
  package struct News: Sendable {
    package var problem: String?
    /// A new code, shown this once, and the page that takes it.
    package var code: String?
    package var address: String

    package init(problem: String? = nil, code: String? = nil, address: String = "") {
      (self.problem, self.code, self.address) = (problem, code, address)
    }
  }

  package var row: UsersView.Row
  package var limits: (subscriptions: Int?, requests: Int?)
  /// nil if the log cannot be read.
  package var figures: Figures?
  /// Until when a code is valid; nil without one.
  package var codeEnds: Timestamp?
  /// Whether it is the only administrator who may use the hub.
  package var isLastAdministrator: Bool
  /// Whether the hub may have several users.
  package var isShared: Bool
  package var news: News

  package init(
    row: UsersView.Row, limits: (subscriptions: Int?, requests: Int?), figures: Figures?, codeEnds: Timestamp?,
    isLastAdministrator: Bool, isShared: Bool, news: News
  ) {
    (self.row, self.limits, self.figures, self.codeEnds) = (row, limits, figures, codeEnds)
    (self.isLastAdministrator, self.isShared, self.news) = (isLastAdministrator, isShared, news)
  }

  private var action: PagePath { PagePath(["settings", "users", String(row.person.number)]) }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <p class="up"><a href="/settings/users">All users</a></p>
    <div class="heading">\#(row.person.circle)<h1>\#(row.person.shownName)</h1><p class="summary">\#(row.summary(at: frame.now))</p></div>
    \#(news.problem.map { #"<p class="notice problem" role="alert">\#($0)</p>"# as HTML })
    \#(news.code.map { CodePanel(code: $0, address: news.address, heading: "The new code").html })
    \#(figures?.damage.map { #"<div class="banner" role="alert"><p dir="auto">\#($0)</p></div>"# as HTML } ?? [])
    \#(figures == nil ? UserView.unreadable : HTML())
    <div class="tiles">\#(tiles(frame))</div>
    \#(namePanel)\#(passwordPanel(frame))\#(limitPanel)\#(rightsPanel)\#(removePanel)
    """#
  }

  private static let unreadable: HTML =
    #"<div class="banner" role="alert"><p>The log of this user cannot be read; the hub’s own log says why.</p></div>"#

  private func tiles(_ frame: PageFrame) -> [HTML] {
    var tiles: [(String, String)] = [(UsersView.size(row.bytes), "storage")]
    if let figures {
      tiles += [
        (String(figures.subscriptions), "subscriptions"), (String(figures.videos), "videos known"),
        (String(figures.failing), "failing feeds"),
        (figures.lastPoll.map { $0.short(at: frame.now) } ?? "never", "feeds checked"),
      ]
    }
    tiles.append((String(row.damagedLogs), "damaged logs"))
    return tiles.map { #"<div class="tile"><strong>\#($0)</strong><span>\#($1)</span></div>"# }
  }

  private var namePanel: HTML {
    #"""
    <section class="panel" aria-labelledby="name"><h2 id="name">Name</h2><form class="aside" method="post" action="\#(action.description)"><div class="fields">\#(Fields.text("name", "Name to log in with", value: row.person.name, hint: "The log, devices, tokens and numbers stay.", isRequired: true))</div><button name="action" value="rename">Rename</button></form></section>
    """#
  }

  private func passwordPanel(_ frame: PageFrame) -> HTML {
    let pending = codeEnds.map { "A code is valid until \(frame.now.long($0)); a new one replaces it." }
    return #"""
      <section class="panel" aria-labelledby="password"><h2 id="password">Password</h2><p class="hint">\#(pending ?? "With a code the user chooses a new password. Until then the current password stays valid.")</p><form method="post" action="\#(action.description)"><button name="action" value="code">Make a code</button></form></section>
      """#
  }

  private var limitPanel: HTML {
    func field(_ name: String, _ label: String, _ value: Int?, _ hint: String) -> HTML {
      Fields.text(name, label, value: value.map { String($0) } ?? "", hint: hint)
    }
    return #"""
      <section class="panel" aria-labelledby="limits"><h2 id="limits">Limits</h2><form class="aside" method="post" action="\#(action.description)"><div class="fields">\#(field("subscriptions", "Subscriptions", limits.subscriptions, "Leave empty for the hub’s own limit. Existing subscriptions stay."))\#(field("requests", "Requests a minute", limits.requests, "60 or more; changes count separately. Leave empty for the hub’s own limit."))</div><button name="action" value="limits">Set the limits</button></form></section>
      """#
  }

  private var rightsPanel: HTML {
    if isLastAdministrator {
      return #"""
        <section class="panel" aria-labelledby="rights"><h2 id="rights">Rights</h2><p class="hint">This user is the only administrator of the hub. Make another user an administrator before you disable, remove or demote this one.</p></section>
        """#
    }
    let enabling: HTML =
      row.disabled == nil
      ? #"<button class="bad" name="action" value="disable">Disable</button>"#
      : #"<button name="action" value="enable">Enable</button>"#
    let promoting: HTML =
      row.isAdministrator
      ? #"<button class="bad" name="action" value="demote">Remove administrator rights</button>"#
      : #"<button name="action" value="promote">Make an administrator</button>"#
    return #"""
      <section class="panel" aria-labelledby="rights"><h2 id="rights">Rights</h2><p class="hint">A disabled user is refused everywhere: on the page, in apps and readers, and on devices. Nothing is deleted, and the feeds are still checked.</p><form method="post" action="\#(action.description)"><p class="buttons">\#(enabling)\#(promoting)</p></form></section>
      """#
  }

  private var removePanel: HTML {
    guard isShared, !isLastAdministrator else { return "" }
    return #"""
      <section class="panel" aria-labelledby="remove"><h2 id="remove">Remove</h2><form class="aside" method="post" action="\#(action.description)"><p class="hint">Ends the sessions and tokens. The log is kept, and the operator of the hub can give it to a user again.</p><div class="field"><label for="f-removed">To remove \#(row.person.name), type the name</label><input id="f-removed" name="name" required autocomplete="off" autocapitalize="none" spellcheck="false"></div><button class="bad" name="action" value="remove">Remove the user</button></form></section>
      """#
  }
}
