/// Videos that views treat alike: same channel, same status, both Shorts or both not, both streams or both not.
///
/// A view of the newest fifty says how many there are in all. It counts classes, of which there are a few for each
/// channel, not videos. The videos of a class were found, are not removed, not snoozed, not upcoming now or when skipped, and in no
/// followed playlist; the others are `special` and counted one by one.
package struct VideoClass: Hashable, Sendable {
  package var channel: ChannelID
  package var status: Status
  package var isShort: Bool
  package var isStream: Bool

  /// The class of a video; nil where it is special.
  init?(of video: Video) {
    guard video.found != nil, !video.glance.isRemoved, !video.glance.hasPlaylists, video.glance.live != .upcoming,
      video.statusValue != .snoozed, video.statusValue != .skipped || !video.mayBeNew
    else { return nil }
    channel = video.channel
    status = video.statusValue
    isShort = ShortVerdict(of: video).answer == .yes
    isStream = video.isStream
  }

  private init(channel: ChannelID, status: Status, isShort: Bool, isStream: Bool) {
    self.channel = channel
    self.status = status
    self.isShort = isShort
    self.isStream = isStream
  }
}

extension VideoClass {
  /// How many bytes a class and its count have in a snapshot.
  static let size = 24

  /// Writes a class and how many videos it has.
  func write(count: Int, to bytes: inout [UInt8]) {
    for number in [channel.high, channel.low] {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    withUnsafeBytes(of: UInt32(count).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(Status.allCases.firstIndex(of: status) ?? 0))
    bytes.append(contentsOf: [isShort ? 1 : 0, isStream ? 1 : 0, 0])
  }

  /// Reads what `write` wrote.
  static func read(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> (VideoClass, count: Int) {
    let channel = ChannelID(high: bytes.number64(at: offset), low: bytes.number64(at: offset + 8))
    let status = Status.allCases[Int(bytes[offset + 20])]
    let aClass = VideoClass(
      channel: channel, status: status, isShort: bytes[offset + 21] == 1, isStream: bytes[offset + 22] == 1)
    return (aClass, Int(bytes.number32(at: offset + 16)))
  }
}
