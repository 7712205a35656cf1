/// By what videos are in order: those found first, the newest first, ties by id.
struct VideoOrder: Comparable {
  var isFound: Bool
  var published: Timestamp
  var id: VideoID

  init(isFound: Bool, published: Timestamp, id: VideoID) {
    self.isFound = isFound
    self.published = published
    self.id = id
  }

  init(_ video: Video) { self.init(isFound: video.found != nil, published: video.published, id: video.id) }

  static func < (left: VideoOrder, right: VideoOrder) -> Bool {
    if left.isFound != right.isFound { return left.isFound }
    return left.published != right.published ? left.published > right.published : left.id < right.id
  }
}
