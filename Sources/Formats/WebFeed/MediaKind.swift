extension WebMedia.Kind {
  /// What a file is by its media type, else, if that says nothing, by the extension in its URL.
  init(type: String?, url: String) {
    self = type.flatMap { WebMedia.Kind(type: $0) } ?? WebMedia.Kind(pathOf: url) ?? .other
  }

  /// By the media type; nil if it says nothing, as `application/octet-stream` does.
  private init?(type: String) {
    switch type.prefix(while: { $0 != "/" }) {
    case "audio": self = .audio
    case "video": self = .video
    case "image": self = .image
    default:
      switch type {
      case "application/ogg": self = .audio
      case "application/x-mpegurl", "application/vnd.apple.mpegurl", "application/dash+xml", "application/mp4":
        self = .video
      case "application/x-bittorrent", "application/pdf", "application/epub+zip", "application/zip": self = .other
      // `mp3` in place of a type.
      default:
        guard let kind = WebMedia.Kind.extensions[type] else { return nil }
        self = kind
      }
    }
  }

  /// By the extension of the file in a URL; nil if it has none or an unknown one.
  private init?(pathOf url: String) {
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let name = path.suffix(8)
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")),
      let kind = WebMedia.Kind.extensions[String(decoding: name[dot...].dropFirst(), as: UTF8.self).lowercased()]
    else { return nil }
    self = kind
  }

  private static let extensions: [String: WebMedia.Kind] = {
    var table: [String: WebMedia.Kind] = [:]
    let rows: [(WebMedia.Kind, String)] = [
      (.audio, "mp3 m4a m4b aac ogg oga opus flac wav wma mka aif aiff mp2 spx amr"),
      (.video, "mp4 m4v webm mkv mov avi ogv flv wmv mpg mpeg ts m3u8 mpd 3gp"),
      (.image, "jpg jpeg png gif webp avif svg bmp heic"), (.other, "torrent pdf epub zip"),
    ]
    for (kind, names) in rows {
      for name in names.split(separator: " ") { table[String(name)] = kind }
    }
    return table
  }()
}
