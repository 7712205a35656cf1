/// The record of a video in a snapshot: its members of fixed width, 128 bytes.
struct VideoRecord {
  let bytes: UnsafeRawBufferPointer

  /// Where each member is.
  private enum Place {
    static let id = 0
    static let channel = 8
    static let published = 24
    static let found = 32
    static let shared = 48
    static let status = 64
    static let fingerprint = 80
    static let textOffset = 88
    static let textLength = 96
    static let heap = 100
    static let titleLength = 108
    static let rareLength = 112
    static let seconds = 116
    static let textFile = 120
    static let present = 122
    static let statusValue = 123
    static let link = 124
    static let live = 125
    static let feeds = 126
    static let marks = 127
  }

  /// Which of the members that can be nil are not, and whether the feed last said 0 views.
  private struct Present: OptionSet {
    let rawValue: UInt8
    static let found = Present(rawValue: 1)
    static let shared = Present(rawValue: 2)
    static let status = Present(rawValue: 4)
    static let description = Present(rawValue: 8)
    static let zeroViews = Present(rawValue: 16)
  }

  var id: VideoID { VideoID(bits: bytes.number64(at: Place.id)) }
  var published: Timestamp { Timestamp(seconds: Int64(bitPattern: bytes.number64(at: Place.published))) }

  /// The title's place in the heap, of which the rare members' follows.
  var title: Range<Int> {
    let start = Int(bytes.number64(at: Place.heap))
    return start..<start + Int(bytes.number32(at: Place.titleLength))
  }

  /// The rare members' place in the heap.
  var rare: Range<Int> {
    let start = title.upperBound
    return start..<start + Int(bytes.number32(at: Place.rareLength))
  }

  var found: EventID? { present.contains(.found) ? event(at: Place.found) : nil }
  var shared: EventID? { present.contains(.shared) ? event(at: Place.shared) : nil }
  var statusStamp: EventID? { present.contains(.status) ? event(at: Place.status) : nil }
  var channel: ChannelID {
    ChannelID(high: bytes.number64(at: Place.channel), low: bytes.number64(at: Place.channel + 8))
  }
  var link: Link { Link(rawValue: bytes[Place.link]) ?? .unknown }
  var hasZeroViews: Bool { present.contains(.zeroViews) }
  var feeds: FeedForms { FeedForms(rawValue: bytes[Place.feeds]) }
  var status: Status { Status.allCases[Int(bytes[Place.statusValue])] }
  var glance: Glance {
    Glance(
      live: Live.allCases[Int(bytes[Place.live])], marks: bytes[Place.marks],
      seconds: Int32(bitPattern: bytes.number32(at: Place.seconds)))
  }
  var description: Description? {
    guard present.contains(.description) else { return nil }
    let place = LogRange(
      file: UInt32(bytes.loadUnaligned(fromByteOffset: Place.textFile, as: UInt16.self).littleEndian),
      length: bytes.number32(at: Place.textLength), offset: bytes.number64(at: Place.textOffset))
    return Description(fingerprint: bytes.number64(at: Place.fingerprint), place: place)
  }

  /// What the description is known by in the index of texts; nil where there is none.
  var textKey: TextKey? {
    present.contains(.description) ? TextKey(bits: bytes.number64(at: Place.fingerprint)) : nil
  }

  private var present: Present { Present(rawValue: bytes[Place.present]) }

  private func event(at place: Int) -> EventID {
    EventID(reading: bytes.number64(at: place), device: DeviceID(letters: bytes.number64(at: place + 8)))
  }
}

extension VideoRecord {
  /// Where in the heap a video's title and rare members were written.
  struct Heap {
    var start: Int
    var titleLength: UInt32
    var rareLength: UInt32
  }

  /// Writes a video's record to `bytes`, which has room for it and is zero; false where the description is not in the
  /// log or a number does not fit.
  static func write(_ video: Video, _ heap: Heap, to bytes: UnsafeMutableRawBufferPointer) -> Bool {
    func set(_ number: some FixedWidthInteger, at place: Int) {
      bytes.storeBytes(of: number.littleEndian, toByteOffset: place, as: type(of: number))
    }
    func set(_ event: EventID?, at place: Int, _ mark: Present) {
      guard let event else { return }
      present.insert(mark)
      set(event.reading, at: place)
      set(event.device.letters, at: place + 8)
    }
    var present: Present = video.hasZeroViews ? .zeroViews : []
    set(video.id.bits, at: Place.id)
    set(video.channel.high, at: Place.channel)
    set(video.channel.low, at: Place.channel + 8)
    set(video.published.seconds, at: Place.published)
    set(video.found, at: Place.found, .found)
    set(video.shared, at: Place.shared, .shared)
    set(video.statusStamp, at: Place.status, .status)
    if let description = video.description {
      guard case .log(let place) = description.source, let file = UInt16(exactly: place.file) else { return false }
      present.insert(.description)
      set(description.fingerprint, at: Place.fingerprint)
      set(place.offset, at: Place.textOffset)
      set(place.length, at: Place.textLength)
      set(file, at: Place.textFile)
    }
    set(UInt64(heap.start), at: Place.heap)
    set(heap.titleLength, at: Place.titleLength)
    set(heap.rareLength, at: Place.rareLength)
    set(video.glance.stored.seconds, at: Place.seconds)
    set(present.rawValue, at: Place.present)
    set(UInt8(Status.allCases.firstIndex(of: video.statusValue) ?? 0), at: Place.statusValue)
    set(video.link.rawValue, at: Place.link)
    set(UInt8(Live.allCases.firstIndex(of: video.glance.live) ?? 0), at: Place.live)
    set(video.feeds.rawValue, at: Place.feeds)
    set(video.glance.stored.marks, at: Place.marks)
    return true
  }
}
