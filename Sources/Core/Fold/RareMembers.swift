/// What few videos have.
struct RareMembers: Equatable, Sendable {
  /// The events behind members that another event wrote than the one they share.
  var stamps: [Video.Member: EventID] = [:]
  var moved: Register<Timestamp>?
  var visiblyChanged: EventID?
  var thumbnail: String?
  var channelTitle: Register<String>?
  var playlists: [PlaylistID] = []
  var enriched: Register<VideoEnriched>?
  var duration: Register<Int>?
  var live: Register<Live>?
  /// The first proof that it was still to come.
  var upcomingFirst: EventID?
  /// The last one.
  var upcomingLast: EventID?
  var removed: Register<Bool>?
  var until: Timestamp?
  var watchedAt: Timestamp?
  var reason: String?
  var saved: Register<Bool>?
  var collections: [String: Register<Bool>] = [:]
  var progress: Register<Int>?
  var note: Register<String>?
}

/// The rare members on the heap, for most videos have none.
final class Rare: Sendable {
  let members: RareMembers

  init(_ members: RareMembers) { self.members = members }
}

/// What views ask of the rare members of each video, so that none has to be looked up for it.
struct Glance: Equatable, Sendable {
  var live = Live.unknown
  private var marks: UInt8 = 0
  private var seconds: Int32 = -1

  /// Of a video that has none.
  init() {}

  /// What there is to see in some members.
  init(of members: RareMembers) {
    live = members.live?.value ?? .unknown
    seconds = members.duration.map { Int32(clamping: $0.value) } ?? -1
    marks = Glance.hasMembers
    if members.removed?.value == true { marks |= Glance.isRemoved }
    if members.saved?.value == true { marks |= Glance.isSaved }
    if !members.playlists.isEmpty { marks |= Glance.hasPlaylists }
    if members.collections.values.contains(where: \.value) { marks |= Glance.isCollected }
  }

  /// A glance as a snapshot keeps it.
  init(live: Live, marks: UInt8, seconds: Int32) {
    self.live = live
    self.marks = marks
    self.seconds = seconds
  }

  /// The bits and the seconds, as a snapshot keeps them.
  var stored: (marks: UInt8, seconds: Int32) { (marks, seconds) }

  var duration: Int? { seconds < 0 ? nil : Int(seconds) }
  /// Whether there are rare members at all.
  var hasMembers: Bool { marks & Glance.hasMembers != 0 }
  var isRemoved: Bool { marks & Glance.isRemoved != 0 }
  var isSaved: Bool { marks & Glance.isSaved != 0 }
  var hasPlaylists: Bool { marks & Glance.hasPlaylists != 0 }
  /// Whether it is in a collection.
  var isCollected: Bool { marks & Glance.isCollected != 0 }

  private static let hasMembers: UInt8 = 1
  private static let isRemoved: UInt8 = 2
  private static let isSaved: UInt8 = 4
  private static let hasPlaylists: UInt8 = 8
  private static let isCollected: UInt8 = 16
}
