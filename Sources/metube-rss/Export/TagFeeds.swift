import Core
import Glibc

/// One Atom feed for each tag, in one folder, and an OPML file of them for a reader to begin with.
struct TagFeeds {
  private let folder: String
  /// The address at which the folder is published; nil where only this machine reads it.
  private let address: String?

  /// Feeds in this folder, published at this address, if they are.
  init(_ folder: String, address: String?) {
    self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    self.address = address.map { $0.hasSuffix("/") ? $0 : "\($0)/" }
  }

  /// Writes the feeds that `videos` gives for each tag; returns what a person is told of it.
  func write(_ tags: [String], _ videos: (String) throws -> ExportedVideos) throws -> String {
    guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
      throw Failure(.disk, "\(folder): cannot be made: \(String(cString: strerror(errno)))")
    }
    var written = 0
    var links: [FeedLink] = []
    for tag in tags {
      let name = TagFeeds.fileName(tag)
      let videos = try videos(tag)
      let link = FeedLink(title: tag, address: published(name))
      let isWritten = try File.replace("\(folder)/\(name)") { output in
        try videos.writeAtom([], address: address == nil ? nil : link.address, to: &output)
      }
      written += isWritten ? 1 : 0
      links.append(link)
    }
    var opml: [UInt8] = []
    FeedLink.appendOPML(links, to: &opml)
    written += try File.replace("\(folder)/feeds.opml", with: opml) ? 1 : 0
    return "\(folder): \(Words.count(links.count, "feed")) and feeds.opml; \(written) changed"
  }

  /// The name of a tag's file, which no other tag has: letters, digits, `-` and `_` as they are, all else as `%2F`.
  static func fileName(_ tag: String) -> String {
    let name = escaped(tag)
    // A file's name has 255 bytes at most, and is written under a longer one first.
    guard name.utf8.count > 150 else { return "\(name).atom" }
    return "\(name.prefix(120))-\(String(Fingerprint.of(tag), radix: 16)).atom"
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain =
        byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
      if isPlain || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") { return String(Unicode.Scalar(byte)) }
      return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// The address of a file in the folder; its `%` are part of its name.
  private func published(_ name: String) -> String {
    let base = address ?? "file://" + TagFeeds.pathAddress(TagFeeds.absolute(folder)) + "/"
    return base + name.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
  }

  private static func pathAddress(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { escaped(String($0)) }.joined(separator: "/")
  }

  private static func absolute(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
