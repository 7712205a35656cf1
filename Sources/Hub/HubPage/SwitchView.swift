/// Chooses another user on a shared screen, which requires that user's password.
package struct SwitchView: Sendable {
  /// Who is logged in.
  package var oneself: String
  /// The others who may use the hub.
  package var people: [Person]
  /// The user whose password the form requests; nil while none is chosen.
  package var chosen: Person?
  package var problem: String?

  package init(oneself: String, people: [Person], chosen: Person?, problem: String?) {
    (self.oneself, self.people, self.chosen, self.problem) = (oneself, people, chosen, problem)
  }

  package func html(in frame: PageFrame) -> HTML {
    chosen.map(passwordForm) ?? list
  }

  private var list: HTML {
    let lines: [HTML] = people.map { person in
      let path = PagePath(["switch"], query: [("name", person.name)])
      return #"""
        <li><a class="tile" href="\#(path.description)">\#(person.circle)\#(person.names)</a></li>

        """#
    }
    return #"""
      <div class="switch"><h1>Who is watching?</h1><p class="hint">Logged in as <bdi>\#(oneself)</bdi>. Switching requires the password of the other user.</p>
      \#(problem.map { #"<p class="notice problem" role="alert">\#($0)</p>"# as HTML })
      \#(people.isEmpty ? #"<p class="quiet">This hub has no other user.</p>"# as HTML : #"<ul class="people">\#(lines)</ul>"#)
      <p class="buttons"><a class="button" href="/">Stay <bdi>\#(oneself)</bdi></a></p>
      <form method="post" action="/logout"><button>Log out</button></form></div>
      """#
  }

  private func passwordForm(_ person: Person) -> HTML {
    #"""
    <form class="login" method="post" action="/switch">
    \#(person.circle)<h1>\#(person.shownName)</h1>
    \#(problem.map { #"<p class="notice problem" role="alert">\#($0)</p>"# as HTML })
    <input type="hidden" name="name" value="\#(person.name)">
    <div class="field"><label for="password">Password of <bdi>\#(person.shownName)</bdi></label><input id="password" name="password" type="password" required autocomplete="current-password" autofocus></div>
    <button class="main">Log in as <bdi>\#(person.shownName)</bdi></button>
    <p class="buttons"><a href="/switch">Choose another user</a></p>
    </form>
    """#
  }
}

/// The form with which a user who has a code chooses a password.
package struct JoinView: Sendable {
  package var code: String
  package var problem: String?

  package init(code: String, problem: String?) { (self.code, self.problem) = (code, problem) }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <form class="login" method="post" action="/join">
    \#(Icon.logo)<h1>\#(frame.title)</h1>
    <p class="hint">With the code from an administrator of this hub; it works once.</p>
    \#(problem.map { #"<p class="notice problem" role="alert">\#($0)</p>"# as HTML })
    <div class="field"><label for="code">Code</label><input id="code" name="code" value="\#(code)" required autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40"\#(" autofocus", if: code.isEmpty)></div>
    <div class="field"><label for="password">Password</label><input id="password" name="password" type="password" required minlength="8" autocomplete="new-password" aria-describedby="password-hint"\#(" autofocus", if: !code.isEmpty)><small class="hint" id="password-hint">8 characters or more.</small></div>
    <div class="field"><label for="repeated">Password again</label><input id="repeated" name="repeated" type="password" required autocomplete="new-password"></div>
    <button class="main">Set the password and log in</button>
    </form>
    """#
  }
}
