import Core
import Exporters
import Platform
import ReadModel

/// Files of FreeTube, Google Takeout and Invidious.
extension PersonalExport {
  /// FreeTube's `history.db`, the oldest first, as the program appends to it. Returns how many videos it has.
  func writeFreeTubeHistory(to output: inout Output) throws -> (count: Int, leftOut: [String]) {
    var (count, nearEnd, bytes) = (0, 0, [UInt8]())
    try forEachWatched { watched in
      bytes = FreeTubeDocument.history(watched)
      count += 1
      if watched.row.isNearEnd { nearEnd += 1 }
      output.write(bytes)
    }
    return (count, PersonalExport.nearEnd(nearEnd))
  }

  /// FreeTube's `playlists.db`; what was saved is `Watch Later`, which the program has too.
  func writeFreeTubePlaylists(to output: inout Output) throws -> Int {
    var count = 0
    try forEachList { list in
      count += 1
      output.write(
        FreeTubeDocument.playlistStart(list.isSaved ? "Watch Later" : list.name, description: list.description))
      var (index, times) = (0, ClosedRange<Timestamp>?.none)
      try forEachMember(of: list) { row, added in
        output.write(FreeTubeDocument.member(row, added: added, at: index))
        times = times.map { min($0.lowerBound, added)...max($0.upperBound, added) } ?? added...added
        index += 1
      }
      let id = list.isSaved ? FreeTubeDocument.savedID : FreeTubeDocument.id(ofPlaylist: list.name)
      output.write(FreeTubeDocument.playlistEnd(id: id, times))
    }
    return count
  }

  /// Takeout's `watch-history.json`, the newest first.
  func writeTakeoutHistory(to output: inout Output) throws -> Int {
    var count = 0
    output.write("[")
    try forEachWatched(newestFirst: true) { watched in
      output.write((count > 0 ? Array(",\n".utf8) : []) + TakeoutDocument.watch(watched))
      count += 1
    }
    output.write("]\n")
    return count
  }

  /// Takeout's playlists in a zip file: those with videos, since the others have no line.
  func writeTakeoutPlaylists(to output: inout Output) throws -> (count: Int, leftOut: [String]) {
    var (zip, bytes, count) = (ZipWriter(at: session.now), [UInt8](), 0)
    var (names, changed) = (Set<String>(), 0)
    try forEachList { list in
      guard !list.videos.isEmpty else { return }
      count += 1
      var (entry, isSame) = TakeoutDocument.entry(ofPlaylist: list.name)
      while !names.insert(entry.lowercased()).inserted {
        (entry, isSame) = (entry.replacing("-videos.csv", with: "_-videos.csv"), false)
      }
      if !isSame { changed += 1 }
      zip.begin(entry, to: &bytes)
      zip.add(TakeoutDocument.playlistHeader, to: &bytes)
      try forEachMember(of: list) { row, added in
        zip.add(TakeoutDocument.member(row.video, added: added), to: &bytes)
        output.write(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
      try ArchiveExport.refusingTooLarge { () throws(ZipWriter.TooLarge) in try zip.end(to: &bytes) }
    }
    try ArchiveExport.refusingTooLarge { () throws(ZipWriter.TooLarge) in try zip.finish(to: &bytes) }
    output.write(bytes)
    let text = changed == 1 ? "name of 1 collection" : "names of \(changed) collections"
    return (count, changed > 0 ? ["the exact \(text)"] : [])
  }

  /// Invidious' export: `{"subscriptions":[…],"watch_history":[…],"preferences":{},"playlists":[…]}`. Returns how many
  /// watched videos it has.
  func writeInvidious(to output: inout Output) throws -> Int {
    var head = JSONLine()
    head.add("subscriptions", try session.state.followed.compactMap { $0.id.channel?.description })
    output.write(Array(head.object.dropLast()) + Array(",\"watch_history\":[".utf8))
    let watched = try watched()
    for (index, watch) in watched.reversed().enumerated() {
      output.write("\(index > 0 ? "," : "")\"\(watch.video)\"")
    }
    output.write("],\"preferences\":{},\"playlists\":[")
    var count = 0
    try forEachList { list in
      guard !list.videos.isEmpty else { return }
      var playlist = JSONLine()
      playlist.add("title", list.name)
      playlist.add("description", list.description)
      playlist.add("privacy", "Private")
      playlist.add("videos", list.videos.map(\.description))
      output.write((count > 0 ? [UInt8(ascii: ",")] : []) + playlist.object)
      count += 1
    }
    output.write("]}\n")
    return watched.count
  }
}
