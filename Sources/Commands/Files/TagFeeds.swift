import Core
import Exporters
import Glibc

/// One Atom feed per tag in one folder, plus an OPML file that lists them for import into a feed reader.
struct TagFeeds {
  private let folder: String
  /// The public URL of the folder; nil if only this machine reads it.
  private let address: String?
  private let home: Home

  /// Feeds in `folder`, published at `address` if not nil.
  init(_ folder: String, address: String?, _ home: Home) {
    self.home = home
    self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    self.address = address.map { $0.hasSuffix("/") ? $0 : "\($0)/" }
  }

  /// Writes the feed that `videos` returns for each tag; returns a summary for the user.
  func write(_ tags: [String], _ videos: (String) throws -> ExportedVideos) throws -> String {
    guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
      throw Failure(.disk, "\(folder): cannot be created: \(String(cString: strerror(errno)))")
    }
    var written = 0
    var links: [FeedLink] = []
    for tag in tags {
      let name = TagFeeds.fileName(tag)
      let videos = try videos(tag)
      let link = FeedLink(title: tag, address: published(name))
      try home.refuse(output: "\(folder)/\(name)")
      let isWritten = try File.replace("\(folder)/\(name)") { output in
        try videos.writeAtom([], address: address == nil ? nil : link.address, to: &output)
      }
      written += isWritten ? 1 : 0
      links.append(link)
    }
    var opml: [UInt8] = []
    FeedLink.appendOPML(links, to: &opml)
    try home.refuse(output: "\(folder)/feeds.opml")
    written += try File.replace("\(folder)/feeds.opml", with: opml) ? 1 : 0
    return "\(folder): \(UserMessages.count(links.count, "feed")) and feeds.opml; \(written) changed"
  }

  /// The unique file name of a tag: letters, digits, `-` and `_` unchanged, other bytes percent-encoded (`%2F`).
  static func fileName(_ tag: String) -> String {
    // An empty tag of another device would make a hidden file; no other tag has this name.
    if tag.isEmpty { return "%.atom" }
    let name = tag.percentEncoded(keeping: "-_")
    // A file name has at most 255 bytes, and the temporary file's name is longer.
    guard name.utf8.count > 150 else { return "\(name).atom" }
    return "\(name.prefix(120))-\(String(Fingerprint.of(tag), radix: 16)).atom"
  }

  /// The URL of a file in the folder; a `%` in the file name is literal, so it is encoded.
  private func published(_ name: String) -> String {
    let base = address ?? "file://" + TimerLocation.absolute(folder).percentEncoded(keeping: "-_/") + "/"
    return base + name.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
  }
}
