import Core

/// A file of the page that never changes while the hub runs.
package struct PageAsset: Sendable {
  /// Its path: `/style.css`.
  package let path: String
  package let type: String
  package let bytes: [UInt8]
  /// Of its content.
  private let hash: String

  private init(_ path: String, _ type: String, _ bytes: [UInt8]) {
    (self.path, self.type, self.bytes) = (path, type, bytes)
    hash = String(hex: Fingerprint.of(bytes.span.bytes), digits: 16)
  }

  /// The address that documents link to; it changes with the content, so that browsers may keep what it names.
  var address: String { "\(path)?v=\(hash)" }

  /// Whether a request names the content and not only the path.
  package func isNamed(by query: [(name: String, value: String)]) -> Bool {
    query.contains { $0.name == "v" && $0.value == hash }
  }

  /// The style sheet: later parts override earlier ones.
  static let style = PageAsset(
    "/style.css", "text/css; charset=utf-8",
    PackageResources.frame_css + PackageResources.list_css + PackageResources.views_css)
  static let script = PageAsset(
    "/script.js", "text/javascript; charset=utf-8", PageScript.joined(PageScript.modules))

  /// Of the frames that play files of other feeds.
  static let mediaStyle = PageAsset("/media.css", "text/css; charset=utf-8", PackageResources.media_css)
  static let mediaScript = PageAsset("/media.js", "text/javascript; charset=utf-8", PackageResources.media_js)

  /// The starter list: channels for someone who follows nothing yet.
  package static let starter = PackageResources.feeds_opml

  package static let all = [
    style, script, mediaStyle, mediaScript,
    PageAsset("/sw.js", "text/javascript; charset=utf-8", PackageResources.sw_js),
    PageAsset("/manifest.webmanifest", "application/manifest+json", PackageResources.manifest_webmanifest),
    PageAsset("/icon.svg", "image/svg+xml", PackageResources.icon_svg),
    PageAsset("/icon-192.png", "image/png", PackageResources.icon_192_png),
    PageAsset("/icon-512.png", "image/png", PackageResources.icon_512_png),
    PageAsset("/icon-maskable-512.png", "image/png", PackageResources.icon_maskable_512_png),
  ]
}
