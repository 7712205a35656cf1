import Core

/// What went wrong.
package struct ProblemView: Sendable {
  package var text: String
  /// A video that only YouTube can show.
  package var video: VideoID?

  /// The next step that is offered.
  package var next: Next

  /// What may help.
  package enum Next: Sendable {
    /// Views that exist.
    case views
    /// The same request again, which may succeed later.
    case retry
    /// Another user may log in.
    case logIn
  }

  package init(text: String, video: VideoID?, next: Next) {
    (self.text, self.video, self.next) = (text, video, next)
  }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <div class="plain"><h1>\#(frame.title)</h1><p dir="auto">\#(text)</p><p class="buttons">\#(video.map { #"<a class="button" href="https://www.youtube.com/watch?v=\#($0)" rel="noreferrer">\#(Icon.outside)Open on YouTube</a>"# as HTML })\#(ways)</p></div>
    """#
  }

  private var ways: HTML {
    let feed: HTML = #"<a class="button" href="/">To the feed</a>"#
    switch next {
    case .views:
      return #"\#(feed)<a class="button" href="/channels">Channels</a><a class="button" href="/discover">Discover</a>"#
    case .retry: return #"<a class="button main" href="">Try again</a>\#(feed)"#
    case .logIn: return #"<a class="button" href="/login">Log in as another user</a>"#
    }
  }
}

/// Asks before much is undone.
package struct UndoView: Sendable {
  /// The action: `20 follows`.
  package var text: String
  package var action: String
  package var back: PagePath

  package init(text: String, action: String, back: PagePath) {
    (self.text, self.action, self.back) = (text, action, back)
  }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <form class="plain" method="post" action="/undo"><h1>\#(frame.title)</h1><p dir="auto">This undoes “\#(text)”.</p><input type="hidden" name="action" value="\#(action)"><input type="hidden" name="back" value="\#(back.description)"><input type="hidden" name="yes" value="true"><p class="buttons"><button class="main">\#(Icon.undo)Undo</button><a class="button" href="\#(back.description)">Keep it</a></p></form>
    """#
  }
}

/// The last actions of this device, each with what undoes it.
package struct UndoListView: Sendable {
  package struct Row: Sendable {
    package var action: String
    /// `Watched: How gears work`.
    package var text: String
    package var time: Timestamp

    package init(action: String, text: String, time: Timestamp) {
      (self.action, self.text, self.time) = (action, text, time)
    }
  }

  package var rows: [Row]

  package init(rows: [Row]) { self.rows = rows }

  package func html(in frame: PageFrame) -> HTML {
    let lines: [HTML] = rows.map { row in
      #"""
      <li><span class="name" dir="auto">\#(row.text)<small><time data-moment datetime="\#(row.time.rfc3339)">\#(frame.now.moment(row.time))</time></small></span><form method="post" action="/undo"><input type="hidden" name="action" value="\#(row.action)"><input type="hidden" name="back" value="/undo"><button aria-label="Undo: \#(row.text)">\#(Icon.undo)Undo</button></form></li>

      """#
    }
    return #"""
      <div class="heading"><h1>\#(frame.title)</h1><p class="summary">What was done last, here and by programs of this hub.</p></div>
      <ul class="rows">
      \#(lines)</ul>
      \#(#"<p class="end">There is nothing to undo.</p>"#, if: rows.isEmpty)
      """#
  }
}
