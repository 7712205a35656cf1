import Core
import Terminal

/// Settings: readers, programs, files, the session.
package struct SettingsView: Sendable {
  /// A token of a program, without its secret.
  package struct Token: Sendable {
    package var id: Int
    package var name: String
    package var mayWrite: Bool
    package var used: Timestamp?
    /// Whether it is the token of a device that syncs.
    package var isOfDevice: Bool

    package init(id: Int, name: String, mayWrite: Bool, used: Timestamp?, isOfDevice: Bool) {
      (self.id, self.name, self.mayWrite, self.used, self.isOfDevice) = (id, name, mayWrite, used, isOfDevice)
    }

    /// What it may do, and when it last did.
    fileprivate func summary(at now: LocalTime) -> String {
      let use = used.map { "\(isOfDevice ? "synced" : "used") \($0.short(at: now))" }
      return "\(isOfDevice ? "a device" : mayWrite ? "reads and marks" : "reads"), \(use ?? "never used")"
    }
  }

  /// A browser that is logged in.
  package struct Session: Sendable {
    package var id: String
    /// The browser: `Firefox on Linux`.
    package var browser: String
    package var used: Timestamp
    package var isCurrent: Bool

    package init(id: String, agent: String, used: Timestamp, isCurrent: Bool) {
      (self.id, browser, self.used, self.isCurrent) = (id, UserAgentName.text(agent), used, isCurrent)
    }
  }

  /// What the form that was sent last led to.
  package struct News: Sendable {
    package enum Password: Sendable { case changed, refused(String) }

    /// The secret of a token just made, which is never shown again.
    package var secret: String?
    /// A code just made, with which a device gets its token.
    package var code: String?
    package var password: Password?
    /// Why the name shown was not changed.
    package var profile: String?

    package init(
      secret: String? = nil, code: String? = nil, password: Password? = nil, profile: String? = nil
    ) {
      (self.secret, self.code, self.password, self.profile) = (secret, code, password, profile)
    }
  }

  /// How the user is shown to others of the household.
  package struct Profile: Sendable {
    package var person: Person
    /// Empty to show the login name.
    package var displayName: String
    /// The colour that was chosen; empty for the standard one.
    package var chosen: String
    package var colors: [String]
    package var isAdministrator: Bool

    package init(person: Person, displayName: String, chosen: String, colors: [String], isAdministrator: Bool) {
      (self.person, self.displayName, self.chosen) = (person, displayName, chosen)
      (self.colors, self.isAdministrator) = (colors, isAdministrator)
    }
  }

  /// The name of the user; nil if the hub has no users.
  package var user: String?
  package var sessions: [Session]
  package var tokens: [Token]
  package var news: News
  package var tags: [String]
  /// `https://hub.example`, for addresses that other programs take.
  package var origin: String
  /// nil without a session.
  package var profile: Profile?
  /// What no export but the archive holds: `3 notes, 2 rules`; nil if there is nothing.
  package var onlyInArchive: String?
  /// What each export leaves out, by the name of its format.
  package var leftOut: [String: String] = [:]

  package init(
    user: String?, profile: Profile?, sessions: [Session], tokens: [Token], news: News, tags: [String], origin: String
  ) {
    (self.user, self.profile, self.sessions, self.tokens) = (user, profile, sessions, tokens)
    (self.news, self.tags, self.origin) = (news, tags, origin)
  }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <div class="heading"><h1>Settings</h1>\#(user.map { #"<p class="summary"><bdi>\#($0)</bdi></p>"# as HTML })</div>
    <div class="tiles">
    <a class="tile" href="/discover">Discover<br><span>search everything found</span></a>
    <a class="tile" href="/collections">Collections<br><span>named lists of videos</span></a>
    <a class="tile" href="/settings/preferences">Preferences<br><span>order, theme, player</span></a>
    <a class="tile" href="/rules">Rules<br><span>what to hide</span></a>
    <a class="tile" href="/status">Status<br><span>checks, failures, gaps</span></a>
    <a class="tile" href="/import">Import<br><span>from other programs</span></a>
    <a class="tile" href="/settings/google">Google account<br><span>your subscriptions at YouTube</span></a>
    \#(profile == nil ? HTML() : SettingsView.switchTile)
    \#(profile?.isAdministrator == true ? SettingsView.usersTile : HTML())
    </div>
    <p class="hint">Press <kbd>?</kbd> on any view for its keys; on a touch screen, swipe a video right for watched, left to skip.</p>
    \#(news.secret.map(shown))
    \#(news.code.map(pairing))
    <section class="panel" aria-labelledby="readers"><h2 id="readers">Feeds for readers</h2>
    <p class="hint">\#(readerHint)</p>
    \#(addresses)
    </section>
    \#(user == nil ? HTML() : tokenPanel(frame))
    \#(ExportsPanel(onlyInArchive: onlyInArchive, leftOut: leftOut).html)
    \#(profile.map(profilePanel))
    \#(user == nil ? HTML() : sessionPanel(frame))
    \#(sessions.isEmpty ? HTML() : passwordPanel)
    """#
  }

  private static let switchTile: HTML =
    #"<a class="tile" href="/switch">Switch user<br><span>on this screen</span></a>"#
  private static let usersTile: HTML =
    #"<a class="tile" href="/settings/users">Users<br><span>of this hub</span></a>"#

  private func profilePanel(_ profile: Profile) -> HTML {
    let colors = [("", "the hub’s choice")] + profile.colors.map { ($0, $0) }
    return #"""
      <section class="panel" aria-labelledby="profile"><h2 id="profile">How others see you</h2>\#(news.profile.map { #"<p class="notice problem" role="alert">\#($0)</p>"# as HTML })
      <form class="aside" method="post" action="/settings/profile"><p class="whom">\#(profile.person.circle)\#(profile.person.names)</p><div class="fields">\#(Fields.text("display", "Name shown", value: profile.displayName, hint: "Leave empty to use the name that you log in with.", placeholder: profile.person.name))\#(Fields.select("color", "Colour", colors, chosen: profile.chosen, hint: nil))</div><button>Save</button></form></section>
      """#
  }

  private var readerHint: HTML {
    user == nil
      ? "These work for every program on this machine."
      : "Whoever has such an address can read the feed. Make a token that may only read for each; its addresses are shown once, and stop working when you revoke it."
  }

  private func shown(_ secret: String) -> HTML {
    #"""
    <section class="panel aside" aria-labelledby="secret"><h2 id="secret">The new token</h2><p class="hint">It is shown this once. Readers take the addresses below, other programs the token.</p><code class="address" tabindex="0">\#(secret)</code></section>
    """#
  }

  private func pairing(_ code: String) -> HTML {
    #"""
    <section class="panel aside" aria-labelledby="pairing"><h2 id="pairing">Pair a device</h2><p class="hint">Run this on the device, within ten minutes. The code works once.</p><code class="address" tabindex="0">metube-rss pair \#(origin) \#(code)</code></section>
    """#
  }

  /// The addresses of the feeds: all, and by tag; with users only beside a token just made.
  private var addresses: HTML {
    guard user == nil || news.secret != nil else { return "" }
    var kinds: [(title: String, query: [(name: String, value: String)])] = [("Everything new", [])]
    for tag in tags { kinds.append(("Tag \(tag)", [("tag", tag)])) }
    kinds.append(("Saved", [("saved", "true")]))
    let lines: [HTML] = kinds.map { title, query in
      let all = query + (news.secret.map { [("token", $0)] } ?? [])
      let atom = origin + PagePath(["feeds", "atom"], query: all).description
      let json = origin + PagePath(["feeds", "json"], query: all).description
      return #"""
        <li><span class="name" dir="auto">\#(title)</span><span class="buttons"><a href="\#(atom)">Atom</a><a href="\#(json)">JSON Feed</a></span></li>

        """#
    }
    return #"<ul class="rows">\#(lines)</ul>"#
  }

  private func tokenPanel(_ frame: PageFrame) -> HTML {
    let lines: [HTML] = tokens.map { token in
      #"""
      <li><div class="name" dir="auto">\#(token.name)<small>\#(token.summary(at: frame.now))</small></div><form method="post" action="/settings/tokens"><input type="hidden" name="token" value="\#(token.id)"><button class="bad" name="action" value="revoke">Revoke</button></form><details><summary>Rename</summary><form class="inline" method="post" action="/settings/tokens"><input type="hidden" name="token" value="\#(token.id)"><label class="vh" for="token-\#(token.id)">New name of \#(token.name)</label><input id="token-\#(token.id)" name="name" value="\#(token.name)" required maxlength="100" autocomplete="off" dir="auto"><button name="action" value="rename">Save</button></form></details></li>

      """#
    }
    return #"""
      <section class="panel" aria-labelledby="tokens"><h2 id="tokens">Devices and programs</h2><ul class="rows">\#(lines)</ul>
      <form class="aside" method="post" action="/settings/tokens"><div class="fields">\#(Fields.text("name", "For which program", value: "", hint: nil, isRequired: true))\#(Fields.select("scope", "It may", [("write", "read and mark"), ("read", "only read")], chosen: "write", hint: "A reader that marks must write; for the addresses of feeds reading is enough."))</div><button class="main" name="action" value="add">Make a token</button></form>
      <form class="after" method="post" action="/settings/tokens"><button name="action" value="pair">Pair a device</button></form></section>
      """#
  }

  private func sessionPanel(_ frame: PageFrame) -> HTML {
    let lines: [HTML] = sessions.map { session in
      let end: HTML =
        session.isCurrent
        ? #"<form method="post" action="/logout"><button>Log out</button></form>"#
        : #"<form method="post" action="/settings/sessions"><input type="hidden" name="session" value="\#(session.id)"><button class="bad" name="action" value="end" aria-label="End the session of \#(session.browser)">End</button></form>"#
      return #"""
        <li><div class="name" dir="auto">\#(session.browser)<small>\#(session.isCurrent ? "this browser" : "used \(session.used.short(at: frame.now))")</small></div>\#(end)</li>

        """#
    }
    return #"""
      <section class="panel" aria-labelledby="sessions"><h2 id="sessions">Where you are logged in</h2><ul class="rows">\#(lines)</ul>
      \#(#"<form class="after" method="post" action="/settings/sessions"><button class="bad" name="action" value="others">Log out everywhere else</button></form>"#, if: sessions.count > 1)
      \#(#"<form class="after" method="post" action="/logout"><button>Log out</button></form>"#, if: sessions.isEmpty)</section>
      """#
  }

  private var passwordPanel: HTML {
    let note: HTML? =
      switch news.password {
      case .changed:
        #"<p class="notice" role="status">The password is changed. Other browsers and readers that logged in with the old one must log in again.</p>"#
      case .refused(let reason): #"<p class="notice problem" role="alert">Not changed: \#(reason).</p>"#
      case nil: nil
      }
    return #"""
      <section class="panel" aria-labelledby="password"><h2 id="password">Password</h2>\#(note)
      <form class="aside" method="post" action="/settings/password"><div class="fields">\#(passwordField("current", "Current password", "current-password"))\#(passwordField("password", "New password", "new-password"))\#(passwordField("repeated", "New password again", "new-password"))</div><button>Change the password</button></form></section>
      """#
  }

  private func passwordField(_ name: String, _ label: String, _ kind: String) -> HTML {
    #"<div class="field"><label for="f-\#(name)">\#(label)</label><input id="f-\#(name)" name="\#(name)" type="password" required autocomplete="\#(kind)"></div>"#
  }
}
