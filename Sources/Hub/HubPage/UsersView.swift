import Core
import Terminal

/// Settings → Users: all users of the hub, for its administrators.
package struct UsersView: Sendable {
  /// A user in the list.
  package struct Row: Sendable {
    package var person: Person
    package var isAdministrator: Bool
    package var isOneself: Bool
    package var lastLogin: Timestamp?
    /// Since when the user may use nothing.
    package var disabled: Timestamp?
    /// What the user's data takes.
    package var bytes: UInt64
    package var damagedLogs: Int

    package init(
      person: Person, isAdministrator: Bool, isOneself: Bool, lastLogin: Timestamp?, disabled: Timestamp?,
      bytes: UInt64, damagedLogs: Int
    ) {
      (self.person, self.isAdministrator, self.isOneself) = (person, isAdministrator, isOneself)
      (self.lastLogin, self.disabled, self.bytes) = (lastLogin, disabled, bytes)
      self.damagedLogs = damagedLogs
    }

    /// `administrator, last login yesterday, 1.2 MB`
    func summary(at now: LocalTime) -> String {
      var parts: [String] = []
      if isOneself { parts.append("you") }
      if isAdministrator { parts.append("administrator") }
      if let disabled { parts.append("disabled \(disabled.short(at: now))") }
      parts.append(lastLogin.map { "last login \($0.short(at: now))" } ?? "never logged in")
      parts.append(UsersView.size(bytes))
      if damagedLogs > 0 { parts.append(damagedLogs == 1 ? "1 damaged log" : "\(damagedLogs) damaged logs") }
      return parts.joined(separator: ", ")
    }
  }

  /// What the form that was sent last led to.
  package struct News: Sendable {
    package var added: String?
    /// The code of the user who was added, shown this once, and the page that takes it.
    package var code: String?
    package var address = ""
    package var removed: (name: String, kept: String)?
    package var problem: String?
    /// The name that was typed.
    package var name = ""

    package init(problem: String? = nil, name: String = "") { (self.problem, self.name) = (problem, name) }
  }

  package var rows: [Row]
  /// Whether the hub may have several users: not one that serves one person's files.
  package var maySeveral: Bool
  package var news: News

  package init(rows: [Row], maySeveral: Bool, news: News) {
    (self.rows, self.maySeveral, self.news) = (rows, maySeveral, news)
  }

  package func html(in frame: PageFrame) -> HTML {
    let lines: [HTML] = rows.map { row in
      #"""
      <li>\#(row.person.circle)<div class="name"><a href="/settings/users/\#(row.person.number)">\#(row.person.names)</a><small>\#(row.summary(at: frame.now))</small></div></li>

      """#
    }
    return #"""
      <div class="heading"><h1>Users</h1><p class="summary">\#(rows.count == 1 ? "1 user" : "\(rows.count) users")</p></div>
      \#(notice)
      \#(news.code.map(codePanel))
      <ul class="rows people">\#(lines)</ul>
      \#(maySeveral ? addPanel : UsersView.alone)
      """#
  }

  private var notice: HTML {
    if let removed = news.removed {
      return #"""
        <p class="notice" role="status">\#(removed.name) was removed. The log is kept as <bdi>\#(removed.kept)</bdi>; the operator of the hub can give it to a user again with metube-hub user add --from.</p>
        """#
    }
    if let added = news.added, news.code == nil {
      return #"<p class="notice" role="status"><bdi>\#(added)</bdi> was added, and logs in with this name.</p>"#
    }
    return ""
  }

  private func codePanel(_ code: String) -> HTML {
    CodePanel(code: code, address: news.address, heading: "The code of \(news.added ?? "")").html
  }

  private var addPanel: HTML {
    #"""
    <section class="panel" aria-labelledby="add"><h2 id="add">Add a user</h2>\#(news.problem.map { #"<p class="notice problem" role="alert">\#($0)</p>"# as HTML })
    <form class="aside" method="post" action="/settings/users"><div class="fields">\#(Fields.text("name", "Name", value: news.name, hint: "Small letters, digits, dots, dashes and underscores.", isRequired: true))</div>
    <fieldset class="choice"><legend>The password</legend>
    <label class="check"><input type="radio" name="by" value="code" checked> The user chooses it, with a code that works once and is valid for a week</label>
    <label class="check"><input type="radio" name="by" value="password"> It is this one:</label>
    <div class="fields">\#(Fields.password("password", "Password", "new-password", hint: "8 characters or more.", isRequired: false))\#(Fields.password("repeated", "Password again", "new-password", isRequired: false))</div></fieldset>
    <button class="main">Add the user</button></form></section>
    """#
  }

  private static let alone: HTML = #"""
    <p class="hint">This hub serves the files of one person. For a household, start it with --data or --database; each user has a log of their own there.</p>
    """#

  /// A number of bytes as text: `1.2 MB`.
  package static func size(_ bytes: UInt64) -> String {
    if bytes < 1000 { return "\(bytes) bytes" }
    if bytes < 1_000_000 { return "\((bytes + 500) / 1000) kB" }
    let (tenths, unit) = bytes < 1_000_000_000 ? (bytes / 100_000, "MB") : (bytes / 100_000_000, "GB")
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(tenths / 10) \(unit)"
  }
}

/// A code just made, with which a user chooses a password.
struct CodePanel {
  var code: String
  /// Of the page that takes it.
  var address: String
  var heading: String

  var html: HTML {
    #"""
    <section class="panel aside" aria-labelledby="code"><h2 id="code">\#(heading)</h2><p class="hint">It is shown only now, works once, and is valid for a week. With it the user chooses a password at <a href="\#(address)">\#(address)</a>.</p><code class="address" tabindex="0">\#(code)</code></section>
    """#
  }
}
