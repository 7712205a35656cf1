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

  /// Serves these channels, generated and compressed in advance; `/__generation?n=2` switches to another generation.
  package func serveSynthetic(_ channels: [SyntheticChannel], generation: Int) {
    for channel in channels {
      var answer = Answer.feed(channel.feed(generation: generation).xml)
      answer.gzip = Gzip.pack(answer.body)
      serve(channel.id, answer)
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
