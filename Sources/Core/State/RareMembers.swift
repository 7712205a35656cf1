/// Members that few videos have.
struct RareMembers: Equatable, Sendable {
  /// The events behind members that were not written by the shared event.
  var stamps: [Video.Member: EventID] = [:]
  var moved: LWWRegister<Timestamp>?
  var visiblyChanged: EventID?
  var thumbnail: String?
  var channelTitle: LWWRegister<String>?
  var playlists: [PlaylistID] = []
  var enriched: LWWRegister<VideoEnriched>?
  var duration: LWWRegister<Int>?
  var live: LWWRegister<Live>?
  /// The first proof that it was upcoming.
  var upcomingFirst: EventID?
  /// The last proof that it was upcoming.
  var upcomingLast: EventID?
  var removed: LWWRegister<Bool>?
  var until: Timestamp?
  var watchedAt: Timestamp?
  var reason: String?
  var saved: LWWRegister<Bool>?
  var collections: [String: LWWRegister<Bool>] = [:]
  var progress: LWWRegister<Int>?
  var note: LWWRegister<String>?
}

/// Heap storage for the rare members, which most videos lack.
final class Rare: Sendable {
  let members: RareMembers

  init(_ members: RareMembers) { self.members = members }
}

/// Flags derived from the rare members, so that queries need not look these up for each video.
struct Glance: Equatable, Sendable {
  var live = Live.unknown
  private var marks: UInt8 = 0
  private var seconds: Int32 = -1

  /// The flags of a video without rare members.
  init() {}

  /// Derives the flags from rare members.
  init(of members: RareMembers) {
    live = members.live?.value ?? .unknown
    seconds = members.duration.map { Int32(clamping: $0.value) } ?? -1
    marks = Glance.hasMembers
    if members.removed?.value == true { marks |= Glance.isRemoved }
    if members.saved?.value == true { marks |= Glance.isSaved }
    if !members.playlists.isEmpty { marks |= Glance.hasPlaylists }
    if members.collections.values.contains(where: \.value) { marks |= Glance.isCollected }
  }

  /// Restores the flags from a snapshot.
  init(live: Live, marks: UInt8, seconds: Int32) {
    self.live = live
    self.marks = marks
    self.seconds = seconds
  }

  /// The flags and the duration as stored in a snapshot.
  var stored: (marks: UInt8, seconds: Int32) { (marks, seconds) }

  var duration: Int? { seconds < 0 ? nil : Int(seconds) }
  /// Whether there are any rare members.
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
