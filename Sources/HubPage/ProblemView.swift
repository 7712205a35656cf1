/// What went wrong, in words.
package struct ProblemView: Sendable {
  package var words: String

  package init(words: String) { self.words = words }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <div class="plain"><h1>\#(frame.title)</h1><p dir="auto">\#(words)</p><p><a class="button" href="/">To the feed</a></p></div>
    """#
  }
}
