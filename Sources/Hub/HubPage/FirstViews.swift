/// The way in, with a name and a password.
package struct LoginView: Sendable {
  package var name: String
  package var problem: String?
  /// Where to go afterwards.
  package var back: String

  package init(name: String, problem: String?, back: String) {
    (self.name, self.problem, self.back) = (name, problem, back)
  }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <form class="login" method="post" action="/login">
    \#(Icon.logo)<h1>Log in</h1>
    \#(problem.map { #"<p class="notice problem" role="alert">\#($0)</p>"# as HTML })
    <input type="hidden" name="back" value="\#(back)">
    <div class="field"><label for="name">Name</label><input id="name" name="name" value="\#(name)" required autocomplete="username" autocapitalize="none" spellcheck="false"\#(" autofocus", if: name.isEmpty)></div>
    <div class="field"><label for="password">Password</label><input id="password" name="password" type="password" required autocomplete="current-password"\#(" autofocus", if: !name.isEmpty)></div>
    <button class="main">Log in</button>
    </form>
    """#
  }
}

/// The form that makes the first user of a hub, with the code from its journal.
package struct SetupView: Sendable {
  package var code: String
  package var name: String
  package var problem: String?

  package init(code: String, name: String, problem: String?) {
    (self.code, self.name, self.problem) = (code, name, problem)
  }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <form class="login" method="post" action="/setup">
    \#(Icon.logo)<h1>\#(frame.title)</h1>
    <p class="hint">This hub has no user yet. The code is in its journal, in the newest line “Set up the first user”; it works once.</p>
    \#(problem.map { #"<p class="notice problem" role="alert">\#($0)</p>"# as HTML })
    <div class="field"><label for="code">Code</label><input id="code" name="code" value="\#(code)" required autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40"\#(" autofocus", if: code.isEmpty)></div>
    <div class="field"><label for="name">Name</label><input id="name" name="name" value="\#(name)" required autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64" aria-describedby="name-hint"><small class="hint" id="name-hint">Small letters, digits, dots, dashes and underscores.</small></div>
    <div class="field"><label for="password">Password</label><input id="password" name="password" type="password" required minlength="8" autocomplete="new-password" aria-describedby="password-hint"\#(" autofocus", if: !code.isEmpty)><small class="hint" id="password-hint">8 characters or more.</small></div>
    <div class="field"><label for="repeated">Password again</label><input id="repeated" name="repeated" type="password" required autocomplete="new-password"></div>
    <button class="main">Create the first user</button>
    </form>
    """#
  }
}

/// What follows for a browser that made the first user under a host name that the hub does not take from now on.
package struct ReadyView: Sendable {
  package var user: String
  /// `nas.local:5057`
  package var authority: String

  package init(user: String, authority: String) { (self.user, self.authority) = (user, authority) }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <div class="plain"><h1>\#(frame.title)</h1>
    <p>The user <bdi>\#(user)</bdi> is made. From now on the hub answers under its IP address only: under <code>\#(authority)</code> it would answer to any site that uses this name.</p>
    <p>Open it by its IP address, or set <code>METUBE_HUB_PUBLIC_URL=http://\#(authority)</code>, start it again, and open it as before.</p></div>
    """#
  }
}

/// The feed of someone who follows nothing yet.
package struct WelcomeView: Sendable {
  package init() {}

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <div class="welcome"><h1>Welcome</h1>
    <p>The videos of the channels you choose, and nothing else. Three ways to begin:</p>
    <div class="two">
    \#(FollowForm(frame: frame, source: "", isShort: true).html)
    \#(ImportForm(frame: frame, isShort: true).html)
    <form class="aside" method="post" action="/import/starter"><h2>Look around first</h2><p class="hint">Twenty channels of science, craft and music. One undo takes them away again.</p><p><button>Follow the starter list</button></p></form>
    </div></div>
    """#
  }
}

/// Imports a file of another program.
struct ImportForm {
  let frame: PageFrame
  /// Whether it has no options.
  let isShort: Bool

  var html: HTML {
    #"""
    <form class="aside" method="post" action="/import" enctype="multipart/form-data">
    <div class="drop field"><label for="file">Import a file</label><input id="file" type="file" name="file" required><small class="hint">Google Takeout, OPML, NewPipe, FreeTube, Tubular, Invidious, a list of addresses: what it is is detected.</small></div>
    \#(isShort ? HTML() : options)
    <div class="buttons"><button class="main" name="action" value="import">Import</button>\#(#"<button name="action" value="try">Only say what it would do</button>"#, if: !isShort)</div>
    </form>
    """#
  }

  private var options: HTML {
    #"""
    <div class="fields">\#(Fields.text("tag", "Tag for its channels", value: "", hint: nil))\#(Fields.text("seenBefore", "Mark as watched what is older than", value: "", hint: nil, placeholder: "30d"))</div>
    <p class="field"><label class="check"><input type="checkbox" name="allHistory" value="true">Also watched videos of channels you do not follow</label></p>
    """#
  }
}

/// The import of files, and its report.
package struct ImportView: Sendable {
  /// What an import did.
  package struct Report: Sendable {
    package var text: String
    /// Rows that were refused, with the reasons.
    package var refused: [String]
    package var isDry: Bool
    /// Whether it added subscriptions, whose feeds were not checked yet.
    package var follows: Bool

    package init(text: String, refused: [String], isDry: Bool, follows: Bool) {
      (self.text, self.refused, self.isDry, self.follows) = (text, refused, isDry, follows)
    }
  }

  package var report: Report?

  package init(report: Report?) { self.report = report }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <div class="heading"><h1>Import</h1></div>
    \#(report.map { shown($0, frame) })
    \#(ImportForm(frame: frame, isShort: false).html)
    """#
  }

  private func shown(_ report: Report, _ frame: PageFrame) -> HTML {
    let lines: [HTML] = report.refused.map { #"<li dir="auto">\#($0)</li>"# }
    return #"""
      <div class="notice" role="status"><p dir="auto">\#(report.text)\#(" Nothing was changed yet.", if: report.isDry)</p>\#(#"<a class="button" href="/channels">Channels</a>"#, if: !report.isDry)\#(PollButton(frame: frame, text: "").labelled, if: !report.isDry && report.follows)</div>
      \#(#"<details class="aside field" open><summary>Refused: \#(report.refused.count)</summary><ul>\#(lines)</ul></details>"#, if: !lines.isEmpty)
      """#
  }
}

/// What another program shared: something to follow.
package struct ShareView: Sendable {
  package var source: String
  package var text: String

  package init(source: String, text: String) { (self.source, self.text) = (source, text) }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <div class="plain"><h1>\#(frame.title)</h1><p dir="auto">\#(text)</p>\#(source.isEmpty ? HTML() : FollowForm(frame: frame, source: source).html)</div>
    """#
  }
}
