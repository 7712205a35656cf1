/// A few marks for each channel, looked up by id.
///
/// A question about a hundred thousand videos asks each time for their channel. A dictionary's hashing and the copy of a
/// channel with its names and tags took most of that time.
struct ChannelMarks {
  private struct Slot {
    var channel: ChannelID
    /// Nil where the slot is free.
    var marks: UInt8?
  }

  private var slots: [Slot]

  /// The marks of these channels.
  init(_ marks: [ChannelID: UInt8]) {
    var count = 4
    while count < marks.count * 2 { count *= 2 }
    slots = Array(repeating: Slot(channel: ChannelID(high: 0, low: 0), marks: nil), count: count)
    for (channel, marks) in marks {
      var slot = ChannelMarks.slot(of: channel, among: count)
      while slots[slot].marks != nil { slot = (slot + 1) & (count - 1) }
      slots[slot] = Slot(channel: channel, marks: marks)
    }
  }

  /// The marks of a channel; nil where it has none.
  subscript(channel: ChannelID) -> UInt8? {
    var slot = ChannelMarks.slot(of: channel, among: slots.count)
    while let marks = slots[slot].marks {
      if slots[slot].channel == channel { return marks }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private static func slot(of channel: ChannelID, among count: Int) -> Int {
    Int(truncatingIfNeeded: ((channel.high ^ channel.low) &* 0x9e37_79b9_7f4a_7c15) >> 32) & (count - 1)
  }
}
