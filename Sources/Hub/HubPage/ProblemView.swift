import Core

/// What went wrong.
package struct ProblemView: Sendable {
  package var text: String
  /// A video that only YouTube can show.
  package var video: VideoID?

  /// Whether another user may log in.
  package var offersLogIn: Bool

  package init(text: String, video: VideoID?, offersLogIn: Bool = false) {
    (self.text, self.video, self.offersLogIn) = (text, video, offersLogIn)
  }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <div class="plain"><h1>\#(frame.title)</h1><p dir="auto">\#(text)</p><p class="buttons">\#(video.map { #"<a class="button" href="https://www.youtube.com/watch?v=\#($0)" rel="noreferrer">\#(Icon.outside)Open on YouTube</a>"# as HTML })\#(offersLogIn ? #"<a class="button" href="/login">Log in as another user</a>"# as HTML : #"<a class="button" href="/">To the feed</a>"#)</p></div>
    """#
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
    <form class="plain" method="post" action="/undo"><h1>\#(frame.title)</h1><p>This undoes \#(text).</p><input type="hidden" name="action" value="\#(action)"><input type="hidden" name="back" value="\#(back.description)"><input type="hidden" name="yes" value="true"><p class="buttons"><button class="main">\#(Icon.undo)Undo</button><a class="button" href="\#(back.description)">Keep it</a></p></form>
    """#
  }
}
