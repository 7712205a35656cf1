import Core

/// An ID in a fixed alphabet that never needs escaping.
protocol LetteredID: MemberValue {
  static var length: Int { get }
  init?(_ bytes: Span<UInt8>)
  func write(to buffer: UnsafeMutablePointer<UInt8>)
}

extension LetteredID {
  func write(to line: inout LineWriter) {
    line.bytes.append(UInt8(ascii: "\""))
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.length) { buffer in
      guard let start = buffer.baseAddress else { return }
      write(to: start)
      line.bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: Self.length))
    }
    line.bytes.append(UInt8(ascii: "\""))
  }

  init?(_ value: LineValue) {
    guard value.sort == .text else { return nil }
    self.init(value.bytes.bindMemory(to: UInt8.self).span)
  }
}

extension VideoID: LetteredID {}
extension ChannelID: LetteredID {}
extension EventID: LetteredID {}
extension DeviceID: LetteredID {}

extension PlaylistID: MemberValue {
  func write(to line: inout LineWriter) { text.write(to: &line) }

  init?(_ value: LineValue) {
    guard let text = value.text else { return nil }
    self.init(text)
  }
}

extension SubscriptionID: MemberValue {
  func write(to line: inout LineWriter) {
    switch self {
    case .channel(let id): id.write(to: &line)
    case .playlist(let id): id.write(to: &line)
    }
  }

  init?(_ value: LineValue) {
    if let channel = ChannelID(value) {
      self = .channel(channel)
    } else if let playlist = PlaylistID(value) {
      self = .playlist(playlist)
    } else {
      return nil
    }
  }
}

extension Timestamp: MemberValue {
  func write(to line: inout LineWriter) { rfc3339.write(to: &line) }

  init?(_ value: LineValue) {
    guard value.sort == .text else { return nil }
    self.init(rfc3339: value.bytes.bindMemory(to: UInt8.self).span)
  }
}

extension MemberValue where Self: RawRepresentable<String> {
  func write(to line: inout LineWriter) { rawValue.write(to: &line) }

  init?(_ value: LineValue) {
    guard let text = value.text else { return nil }
    self.init(rawValue: text)
  }
}

extension FeedForm: MemberValue {}
extension Listing: MemberValue {}
extension ListOrder: MemberValue {}
extension Status: MemberValue {}
extension Live: MemberValue {}
extension StopReason: MemberValue {}
