/// Assigns channels consecutive numbers from 0, so that data about them can be stored in arrays.
///
/// A query over a hundred thousand videos looks up the channel of each: with a dictionary, hashing and copying the
/// values took most of that time.
struct ChannelNumbers {
  /// The channels, by number.
  private(set) var channels: [ChannelID] = []
  /// An open-addressing hash table of numbers plus one; its size is a power of two.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)

  /// The number of a channel; nil if it has none.
  func number(of channel: ChannelID) -> Int? {
    let entry = slots[slot(of: channel)]
    return entry == 0 ? nil : Int(entry) - 1
  }

  /// The number of a channel; assigns the next one if it has none.
  mutating func add(_ channel: ChannelID) -> Int {
    let slot = slot(of: channel)
    if slots[slot] != 0 { return Int(slots[slot]) - 1 }
    channels.append(channel)
    slots[slot] = UInt32(channels.count)
    if channels.count * 2 > slots.count { grow() }
    return channels.count - 1
  }

  private func slot(of channel: ChannelID) -> Int {
    // The characters of IDs are practically random.
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

/// Up to 64 flags for each channel.
struct ChannelMarks {
  private var numbers = ChannelNumbers()
  private var marks: [UInt64] = []

  /// Creates a table from the flags of each channel.
  init(_ marks: [ChannelID: UInt64]) {
    for (channel, marks) in marks {
      _ = numbers.add(channel)
      self.marks.append(marks)
    }
  }

  /// The flags of a channel; nil if it has none.
  subscript(channel: ChannelID) -> UInt64? { numbers.number(of: channel).map { marks[$0] } }
}
