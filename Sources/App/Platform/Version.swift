/// The version of both programs.
package enum Version {
  /// The content of the file VERSION at the root of the sources, such as `1.2.3`.
  package static let current = String(
    decoding: PackageResources.VERSION.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  package static let text = "metube-rss \(current)"
  package static let hub = "metube-hub \(current)"
  /// The User-Agent header, with a contact address for complaints.
  package static let userAgent = "metube-rss/\(current) (+https://github.com/metube-rss/metube-rss)"
}
