/// Writes a state as a snapshot, from beginning to end, to wherever `sink` takes the bytes.
package struct SnapshotWriter<Failure: Error> {
  private let checksum: (UnsafeRawBufferPointer) -> UInt32
  private let sink: ([UInt8]) throws(Failure) -> Void
  private var layout = SnapshotLayout()
  /// Bytes that are not with the sink yet, and how many are.
  private var pending: [UInt8] = []
  private var sunk = 0
  private var checksums: [UInt8] = []

  package init(
    checksum: @escaping (UnsafeRawBufferPointer) -> UInt32, sink: @escaping ([UInt8]) throws(Failure) -> Void
  ) {
    self.checksum = checksum
    self.sink = sink
  }

  /// Writes the snapshot of a state; false where it cannot be written: a description is not in the log, or there is
  /// more than its numbers hold.
  package mutating func write(_ state: State, note: [UInt8]) throws(Failure) -> Bool {
    let positions = state.videos.positions
    guard positions.count < Int(UInt32.max) / 2 else { return false }
    let heaps = try writeHeap(state.videos, positions)
    var views = SnapshotViews(rows: positions.count)
    guard try writeRecords(state.videos, positions, heaps, &views) else { return false }
    layout.found = views.found
    layout.index = try write(views.index)
    layout.open = try write(views.open)
    layout.special = try write(views.special)
    layout.tally = try write(views.tally)
    var small = SnapshotEncoder()
    _ = State.coded(state, by: &small)
    layout.small = try write(small.bytes)
    layout.note = try write(note)
    try finish()
    return true
  }

  private mutating func writeHeap(
    _ videos: VideoTable, _ positions: [VideoTable.Position]
  ) throws(Failure) -> [VideoRecord.Heap] {
    var heaps: [VideoRecord.Heap] = []
    heaps.reserveCapacity(positions.count)
    var rare = SnapshotEncoder()
    for position in positions {
      let video = videos[position]
      let start = place
      let title = video.title
      pending.append(contentsOf: title.utf8)
      if let members = video.rare?.members {
        rare.removeAll()
        _ = RareMembers.coded(members, by: &rare)
        pending.append(contentsOf: rare.bytes)
      }
      let titleLength = title.utf8.count
      let rareLength = place - start - titleLength
      heaps.append(
        VideoRecord.Heap(start: start, titleLength: UInt32(titleLength), rareLength: UInt32(rareLength)))
      try sinkFullBlocks()
    }
    layout.heap = 0..<place
    return heaps
  }

  private mutating func writeRecords(
    _ videos: VideoTable, _ positions: [VideoTable.Position], _ heaps: [VideoRecord.Heap], _ views: inout SnapshotViews
  ) throws(Failure) -> Bool {
    align(to: SnapshotLayout.recordSize)
    let start = place
    let blank = [UInt8](repeating: 0, count: SnapshotLayout.recordSize)
    for (row, position) in positions.enumerated() {
      let video = videos[position]
      pending.append(contentsOf: blank)
      let isWritten = pending.withUnsafeMutableBytes { bytes in
        let record = UnsafeMutableRawBufferPointer(rebasing: bytes.suffix(SnapshotLayout.recordSize))
        return VideoRecord.write(video, heaps[row], to: record)
      }
      guard isWritten else { return false }
      views.add(video, row: row)
      try sinkFullBlocks()
    }
    layout.records = start..<place
    return true
  }

  /// Writes one part and returns its place.
  private mutating func write(_ bytes: [UInt8]) throws(Failure) -> Range<Int> {
    align(to: 8)
    let start = place
    pending.append(contentsOf: bytes)
    try sinkFullBlocks()
    return start..<start + bytes.count
  }

  private mutating func finish() throws(Failure) {
    align(to: 8)
    noteChecksums(upTo: pending.count)
    layout.checksums = place..<place + checksums.count
    pending += checksums
    let ofChecksums = checksums.withUnsafeBytes(checksum)
    pending += layout.bytes(checksumOfChecksums: ofChecksums, checksum)
    try sink(pending)
  }

  // MARK: Bytes

  private var place: Int { sunk + pending.count }

  private mutating func align(to size: Int) {
    while place % size != 0 { pending.append(0) }
  }

  /// Gives whole blocks to the sink once there are a few of them.
  private mutating func sinkFullBlocks() throws(Failure) {
    guard pending.count >= 8 * SnapshotLayout.blockSize else { return }
    let full = pending.count / SnapshotLayout.blockSize * SnapshotLayout.blockSize
    noteChecksums(upTo: full)
    try sink(Array(pending[..<full]))
    pending.removeFirst(full)
    sunk += full
  }

  private mutating func noteChecksums(upTo end: Int) {
    var start = 0
    while start < end {
      let block = start..<min(start + SnapshotLayout.blockSize, end)
      let sum = pending.withUnsafeBytes { checksum(UnsafeRawBufferPointer(rebasing: $0[block])) }
      withUnsafeBytes(of: sum.littleEndian) { checksums.append(contentsOf: $0) }
      start = block.upperBound
    }
  }
}

/// What a snapshot has beside the records, so that views need not look at all of them.
struct SnapshotViews {
  private(set) var found = 0
  private var slots: [UInt32]
  private var openBits: [UInt64]
  private var specialRows: [UInt32] = []
  private var counts: [VideoClass: Int] = [:]

  /// Nothing yet, of this many rows.
  init(rows: Int) {
    var slots = 1
    while slots < rows * 2 { slots *= 2 }
    self.slots = Array(repeating: 0, count: rows == 0 ? 0 : slots)
    openBits = Array(repeating: 0, count: rows / 64 + 1)
  }

  /// Takes note of the video of a row.
  mutating func add(_ video: Video, row: Int) {
    var slot = VideoSnapshot.slot(of: video.id, among: slots.count)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt32(row) + 1
    guard video.found != nil else { return }
    found += 1
    if video.mayBeNew { openBits[row / 64] |= 1 << UInt64(row & 63) }
    if let aClass = VideoClass(of: video) {
      counts[aClass, default: 0] += 1
    } else {
      specialRows.append(UInt32(row))
    }
  }

  /// The parts of the snapshot.
  var index: [UInt8] { SnapshotViews.bytes(slots) }
  var open: [UInt8] { SnapshotViews.bytes(openBits) }
  var special: [UInt8] { SnapshotViews.bytes(specialRows) }
  var tally: [UInt8] {
    var bytes: [UInt8] = []
    for (aClass, count) in counts.sorted(by: { $0.key.channel < $1.key.channel }) {
      aClass.write(count: count, to: &bytes)
    }
    return bytes
  }

  private static func bytes<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
    numbers.map(\.littleEndian).withUnsafeBytes { Array($0) }
  }
}
