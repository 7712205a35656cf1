import Core

extension Words {
  /// What was done to a video, in a line: `watched: A title  dQw4w9WgXcQ`. On a terminal the title gives way, so that
  /// the id is not broken over two lines.
  static func reply(_ what: String, _ title: String, _ id: VideoID) -> String {
    let title = DisplayText(title)
    let rest = DisplayText(what).width + ": ".utf8.count + "  ".utf8.count + VideoID.length
    let shown = Output.columns.map { title.cut(to: max(16, $0 - rest)) } ?? title
    return "\(what): \(Output.columns == nil ? shown.text : shown.apart)  \(id)"
  }
}
