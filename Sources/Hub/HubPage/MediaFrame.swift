import Core

/// The document of a frame that plays the file of an entry, from the file's own host: nothing else of the page may load
/// anything from there.
package struct MediaFrame: Sendable {
  private let file: EntryMedia
  private let kind: MediaKind
  private let row: VideoRow
  /// The second at which it starts.
  private let start: Int
  private let base: String

  /// The frame of a row, from a second on; nil if the row has no file that can be played.
  package init?(of row: VideoRow, from start: Int, below base: String) {
    guard let file = row.file, let kind = row.mediaKind else { return nil }
    (self.file, self.kind, self.row, self.start, self.base) = (file, kind, row, start, base)
  }

  /// The document, in UTF-8.
  package var document: [UInt8] {
    let element: HTML = kind == .audio ? "audio" : "video"
    let html: HTML = #"""
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <title>\#(row.shownTitle)</title>
      <link rel="stylesheet" href="\#(PageAsset.mediaStyle.address)">
      <script type="module" src="\#(PageAsset.mediaScript.address)"></script>
      </head>
      <body><\#(element) src="\#(file.url)" controls preload="auto" data-start="\#(start)" data-title="\#(row.shownTitle)" data-artist="\#(row.channelTitle)"></\#(element)></body>
      </html>

      """#
    return html.linked(below: base)
  }

  /// The headers of the document. Hosts of podcasts redirect through others, so that no host can be named; the pages of
  /// other sites may not have it in a frame, and the host learns nothing of this one.
  package var headers: [(name: String, value: String)] {
    let media = file.url.lowercased().hasPrefix("http://") ? "http: https:" : "https:"
    let policy = [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "media-src \(media)", "base-uri 'none'",
      "form-action 'none'", "frame-ancestors 'self'",
    ]
    return [("Content-Security-Policy", policy.joined(separator: "; ")), ("Referrer-Policy", "no-referrer")]
  }
}

extension VideoRow {
  /// The file of an entry that is played; nil without one, and for a video of YouTube.
  var file: EntryMedia? {
    guard let entry, let url = entry.playable else { return nil }
    return entry.files.first { $0.url == url }
  }

  /// What an entry is for the page: a file to play, or an article; nil for a video of YouTube.
  var mediaKind: MediaKind? { entry == nil ? nil : file.map { MediaKind([$0]) } ?? .article }

  /// The attribute by which the script knows it.
  var kindMark: HTML { mediaKind.map { #" data-kind="\#($0.rawValue)""# as HTML } ?? "" }
}
