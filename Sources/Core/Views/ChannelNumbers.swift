/// Numbers channels from 0 on as they come, so that what is kept of each can be in an array.
///
/// A question about a hundred thousand videos asks each time for their channel: a dictionary's hashing and, of its
/// values, the copying took most of that time.
struct ChannelNumbers {
  /// The channels by number.
  private(set) var channels: [ChannelID] = []
  /// Numbers plus one at the place that the id gives, or the next free one; a power of two of them.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)

  /// The number of a channel; nil where it has none.
  func number(of channel: ChannelID) -> Int? {
    let entry = slots[slot(of: channel)]
    return entry == 0 ? nil : Int(entry) - 1
  }

  /// The number of a channel, the next one where it has none yet.
  mutating func add(_ channel: ChannelID) -> Int {
    let slot = slot(of: channel)
    if slots[slot] != 0 { return Int(slots[slot]) - 1 }
    channels.append(channel)
    slots[slot] = UInt32(channels.count)
    if channels.count * 2 > slots.count { grow() }
    return channels.count - 1
  }

  private func slot(of channel: ChannelID) -> Int {
    // The letters of ids are as good as random.
    let hash = ((channel.high ^ channel.low) &* 0x9e37_79b9_7f4a_7c15) >> 32
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0, channels[Int(slots[slot]) - 1] != channel { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for (number, channel) in channels.enumerated() { slots[slot(of: channel)] = UInt32(number) + 1 }
  }
}

/// Marks for each of some channels, up to 64.
struct ChannelMarks {
  private var numbers = ChannelNumbers()
  private var marks: [UInt64] = []

  /// The marks of these channels.
  init(_ marks: [ChannelID: UInt64]) {
    for (channel, marks) in marks {
      _ = numbers.add(channel)
      self.marks.append(marks)
    }
  }

  /// The marks of a channel; nil where it has none.
  subscript(channel: ChannelID) -> UInt64? { numbers.number(of: channel).map { marks[$0] } }
}
