/// The program's version.
package enum Version {
  package static let text = "metube-rss 0.1.0"
  package static let hub = "metube-hub 0.1.0"
  /// The User-Agent header, with a contact address for complaints.
  package static let userAgent = "metube-rss/0.1.0 (+https://github.com/metube-rss/metube-rss)"
}
