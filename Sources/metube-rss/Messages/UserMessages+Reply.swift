import Core

extension Words {
  /// One line about a change to a video: `watched: A title  dQw4w9WgXcQ`. On a terminal the title is cut so that the ID
  /// does not wrap.
  static func reply(_ what: String, _ title: String, _ id: VideoID) -> String {
    let title = DisplayText(title)
    let rest = DisplayText(what).width + ": ".utf8.count + "  ".utf8.count + VideoID.length
    let shown = Output.columns.map { title.cut(to: max(16, $0 - rest)) } ?? title
    return "\(what): \(Output.columns == nil ? shown.text : shown.apart)  \(id)"
  }
}
