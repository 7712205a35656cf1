extension UInt64: SnapshotValue {
  static func coded(_ value: UInt64?, by coder: inout some SnapshotCoder) -> UInt64? { coder.number(value) }
}

extension Int: SnapshotValue {
  static func coded(_ value: Int?, by coder: inout some SnapshotCoder) -> Int? {
    coder.number(value.map { UInt64(bitPattern: Int64($0)) }).map { Int(Int64(bitPattern: $0)) }
  }
}

extension Bool: SnapshotValue {
  static func coded(_ value: Bool?, by coder: inout some SnapshotCoder) -> Bool? {
    coder.byte(value.map { $0 ? 1 : 0 }).map { $0 != 0 }
  }
}

extension String: SnapshotValue {
  static func coded(_ value: String?, by coder: inout some SnapshotCoder) -> String? { coder.text(value) }
}

extension Timestamp: SnapshotValue {
  static func coded(_ value: Timestamp?, by coder: inout some SnapshotCoder) -> Timestamp? {
    Int.coded(value.map { Int($0.seconds) }, by: &coder).map { Timestamp(seconds: Int64($0)) }
  }
}

// MARK: Ids

extension VideoID: SnapshotValue {
  static func coded(_ value: VideoID?, by coder: inout some SnapshotCoder) -> VideoID? {
    coder.number(value?.bits).map(VideoID.init(bits:))
  }
}

extension ChannelID: SnapshotValue {
  static func coded(_ value: ChannelID?, by coder: inout some SnapshotCoder) -> ChannelID? {
    guard let high = coder.number(value?.high), let low = coder.number(value?.low) else { return nil }
    return ChannelID(high: high, low: low)
  }
}

extension PlaylistID: SnapshotValue {
  static func coded(_ value: PlaylistID?, by coder: inout some SnapshotCoder) -> PlaylistID? {
    coder.text(value?.text).flatMap { PlaylistID($0) }
  }
}

extension SubscriptionID: SnapshotValue {
  static func coded(_ value: SubscriptionID?, by coder: inout some SnapshotCoder) -> SubscriptionID? {
    guard let isChannel = Bool.coded(value.map { $0.channel != nil }, by: &coder) else { return nil }
    guard !isChannel else { return ChannelID.coded(value?.channel, by: &coder).map(SubscriptionID.channel) }
    let playlist: PlaylistID? = if case .playlist(let id)? = value { id } else { nil }
    return PlaylistID.coded(playlist, by: &coder).map(SubscriptionID.playlist)
  }
}

extension DeviceID: SnapshotValue {
  static func coded(_ value: DeviceID?, by coder: inout some SnapshotCoder) -> DeviceID? {
    coder.number(value?.letters).map(DeviceID.init(letters:))
  }
}

extension EventID: SnapshotValue {
  static func coded(_ value: EventID?, by coder: inout some SnapshotCoder) -> EventID? {
    guard let reading = coder.number(value?.reading), let device = DeviceID.coded(value?.device, by: &coder) else {
      return nil
    }
    return EventID(reading: reading, device: device)
  }
}

// MARK: Words of a fixed list

extension SnapshotValue where Self: CaseIterable & Equatable, AllCases == [Self] {
  static func coded(_ value: Self?, by coder: inout some SnapshotCoder) -> Self? {
    let position = coder.byte(value.flatMap(allCases.firstIndex(of:)).map(UInt8.init(_:)))
    return position.flatMap { allCases.indices.contains(Int($0)) ? allCases[Int($0)] : nil }
  }
}

extension FeedForm: SnapshotValue {}
extension ListVisibility: SnapshotValue {}
extension ListOrder: SnapshotValue {}
extension Live: SnapshotValue {}
extension StopReason: SnapshotValue {}
extension Video.Member: SnapshotValue {}

// MARK: What is made of values

extension Optional: SnapshotValue where Wrapped: SnapshotValue {
  static func coded(_ value: Wrapped??, by coder: inout some SnapshotCoder) -> Wrapped?? {
    guard let isThere = Bool.coded(value.map { $0 != nil }, by: &coder) else { return nil }
    guard isThere else { return .some(nil) }
    return Wrapped.coded(value ?? nil, by: &coder).map { .some($0) }
  }
}

extension Array: SnapshotValue where Element: SnapshotValue {
  static func coded(_ value: [Element]?, by coder: inout some SnapshotCoder) -> [Element]? {
    guard let count = coder.number(value.map { UInt64($0.count) }) else { return nil }
    if let value {
      for element in value { _ = Element.coded(element, by: &coder) }
      return value
    }
    var elements: [Element] = []
    for _ in 0..<count {
      guard let element = Element.coded(nil, by: &coder) else { return nil }
      elements.append(element)
    }
    return elements
  }
}

extension Set: SnapshotValue where Element: SnapshotValue {
  static func coded(_ value: Set<Element>?, by coder: inout some SnapshotCoder) -> Set<Element>? {
    [Element].coded(value.map { Array($0) }, by: &coder).map { Set($0) }
  }
}

extension Dictionary: SnapshotValue where Key: SnapshotValue, Value: SnapshotValue {
  static func coded(_ value: [Key: Value]?, by coder: inout some SnapshotCoder) -> [Key: Value]? {
    let keys = value.map { Array($0.keys) }
    guard let keys = [Key].coded(keys, by: &coder) else { return nil }
    if let value {
      for key in keys { _ = Value.coded(value[key], by: &coder) }
      return value
    }
    var entries: [Key: Value] = [:]
    entries.reserveCapacity(keys.count)
    for key in keys {
      guard let entry = Value.coded(nil, by: &coder) else { return nil }
      entries[key] = entry
    }
    return entries
  }
}

extension LWWRegister: SnapshotValue where Value: SnapshotValue {
  static func coded(_ register: LWWRegister?, by coder: inout some SnapshotCoder) -> LWWRegister? {
    guard let value = Value.coded(register?.value, by: &coder), let id = EventID.coded(register?.id, by: &coder) else {
      return nil
    }
    return LWWRegister(value, by: id)
  }
}
