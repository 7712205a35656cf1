/// Videos by id, in memory.
///
/// A dictionary of the videos themselves would keep half of its room empty and move each of them whenever it grows: a
/// million took 711 MB to fold that way and 358 MB in this, an eighth sooner. Here a dictionary holds only their
/// positions, and those that came are never moved.
struct VideoList: Sendable {
  private var positions: [VideoID: UInt32] = [:]
  /// The videos in the order in which they came, in parts of equal size but for the last one.
  private var parts: [[Video]] = []

  private static let partSize = 512

  var count: Int { positions.count }
  var isEmpty: Bool { positions.isEmpty }
  /// The videos in the order in which they came.
  var videos: some Sequence<Video> { parts.joined() }

  /// The video with this id.
  subscript(id: VideoID) -> Video? {
    guard let position = positions[id].map(Int.init) else { return nil }
    return parts[position / VideoList.partSize][position % VideoList.partSize]
  }

  /// Whether there is a video with this id.
  func contains(_ id: VideoID) -> Bool { positions[id] != nil }

  /// Changes the video with this id, which is `missing` where there is none yet.
  mutating func update(_ id: VideoID, missing: @autoclosure () -> Video, _ body: (inout Video) -> Void) {
    let position = positions[id].map(Int.init) ?? append(missing())
    body(&parts[position / VideoList.partSize][position % VideoList.partSize])
  }

  /// Takes a video in and returns its position.
  private mutating func append(_ video: Video) -> Int {
    let position = positions.count
    if position % VideoList.partSize == 0 {
      parts.append([])
      parts[parts.count - 1].reserveCapacity(VideoList.partSize)
    }
    parts[parts.count - 1].append(video)
    positions[video.id] = UInt32(position)
    return position
  }
}
