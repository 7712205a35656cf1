import Core

/// Where a page begins: after a video, which need not be in the list any more.
struct PageStart {
  let row: ListRow
  /// Of a catch-up list the channel's oldest `published`, of a mix the turn.
  let number: Int64?
  /// The ID of its channel.
  let channel: String

  /// nil if the cursor's video was never found.
  init?(_ cursor: PageCursor, _ database: Database, user: Int64, at now: Timestamp) throws(DatabaseError) {
    let row = try database.first(ListingRow.queryByID, user, cursor.video) { ListingRow($0) }
    guard let row = row ?? nil else { return nil }
    (self.row, number) = (ListRow(row, at: now), cursor.number)
    channel = try database.first("SELECT id FROM channel WHERE n = ?", row.channel) { $0.text(0) } ?? ""
  }

  func precedes(_ other: ListRow) -> Bool { ListRow.isNewer(row, other) }

  /// Whether a row of the same channel is still to come; of other channels all are.
  func precedesInChannel(_ other: ListRow) -> Bool {
    other.channel != row.channel || ListRow.isOlder(row, other)
  }
}

/// The order of channels in a catch-up list: the one that waits longest first, ties by ID.
struct ChannelOrder {
  private let sorted: [(oldest: Int64, id: String, channel: Int64)]
  let oldest: [Int64: Int64]

  init(_ starts: [(oldest: Int64, channel: Int64)], _ database: Database) throws(DatabaseError) {
    var named: [(oldest: Int64, id: String, channel: Int64)] = []
    for (oldest, channel) in starts {
      let id = try database.first("SELECT id FROM channel WHERE n = ?", channel) { $0.text(0) }
      named.append((oldest, id ?? "", channel))
    }
    sorted = named.sorted { ($0.oldest, $0.id) < ($1.oldest, $1.id) }
    oldest = Dictionary(starts.map { ($0.channel, $0.oldest) }) { first, _ in first }
  }

  /// The channels from the one of a start on; one whose oldest rows were marked since is where it is now.
  func channels(after start: PageStart?) -> [Int64] {
    guard let start, let number = start.number else { return sorted.map(\.channel) }
    let own = start.row.channel
    let later = sorted.filter { $0.channel != own && ($0.oldest, $0.id) > (number, start.channel) }.map(\.channel)
    return [own] + later
  }
}
