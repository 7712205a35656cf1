import Glibc
import Gzip

/// Sources for a whole server's feeds.
extension FixtureServer {
  /// Serves each channel, playlist and user from the file `ID.xml` in `folder`, read at each request.
  package func serveFeeds(in folder: String) {
    route("/feeds/videos.xml") { request in
      // No other character is in an ID, and none of these leads out of the folder.
      guard request.key.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || "-_".contains($0) }) else {
        return nil
      }
      return contents(of: "\(folder)/\(request.key).xml").map { .feed($0) }
    }
  }

  /// Serves a feed of another site from a file at `/web/NAME`, read at each request.
  package func serveWebFeed(_ path: String) {
    let name = path.split(separator: "/").last ?? ""
    let type = name.hasSuffix(".json") ? "application/feed+json" : "application/rss+xml"
    route("/web/\(name)") { _ in
      contents(of: path).map { Response(status: 200, headers: ["Content-Type": type], body: $0) }
    }
  }

  /// Serves these channels, generated and compressed in advance; `/__generation?n=2` switches to another generation.
  package func serveSynthetic(_ channels: [SyntheticChannel], generation: Int) {
    for channel in channels {
      var response = Response.feed(channel.feed(generation: generation).xml)
      response.gzip = Gzip.pack(response.body)
      serve(channel.id, response)
    }
    route("/__generation") { [weak self] request in
      guard let self, let generation = request.query["n"].flatMap({ Int($0) }), generation >= 0 else { return nil }
      serveSynthetic(channels, generation: generation)
      return .json("{\"generation\": \(generation)}\n", status: 200)
    }
  }
}

/// The contents of a file; nil if it cannot be read. `fopen`, `fread`.
private func contents(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  while true {
    let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { $1 = fread($0.baseAddress, 1, $0.count, file) }
    if piece.isEmpty { return bytes }
    bytes += piece
  }
}

extension DataAPI {
  /// What a search finds among the feeds of a folder: their channels, then their videos.
  package static func searched(in folder: String) -> [Searched] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix("UC"), name.hasSuffix(".xml") { names.append(name) }
    }
    var (channels, videos): ([Searched], [Searched]) = ([], [])
    for name in names.sorted() {
      let text = String(decoding: contents(of: "\(folder)/\(name)") ?? [], as: UTF8.self)
      let parts = text.split(separator: "<entry>").map(String.init)
      guard let head = parts.first, let title = value("name", in: head) else { continue }
      let channel = String(name.dropLast(4))
      channels.append(Searched(video: nil, channel: channel, channelTitle: title, title: title))
      for part in parts.dropFirst() {
        guard let video = value("yt:videoId", in: part), let own = value("title", in: part) else { continue }
        videos.append(Searched(video: video, channel: channel, channelTitle: title, title: own))
      }
    }
    return channels + videos
  }

  /// The text of the first element of a name.
  private static func value(_ element: String, in xml: String) -> String? {
    guard let start = xml.firstRange(of: "<\(element)>"),
      let end = xml[start.upperBound...].firstRange(of: "</\(element)>")
    else { return nil }
    var text = String(xml[start.upperBound..<end.lowerBound])
    for (entity, sign) in [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
      text = text.replacing(entity, with: sign)
    }
    return text
  }
}
