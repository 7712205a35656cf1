/// The videos of a snapshot. Each block of its bytes is checked when it is first looked at.
///
/// A snapshot of a million videos has 200 MB; a view of the newest fifty looks at half a dozen blocks of 16 KiB. A
/// block that is broken is no failure: `replacement` makes the same snapshot anew out of the log, and reading goes on
/// there.
///
/// Not safe for two threads at once, though Sendable so that videos can be: as with the journal it came from, one
/// thread at a time reads it.
package final class VideoSnapshot: @unchecked Sendable {
  /// Bytes, and what keeps them in memory.
  package struct Source {
    package var bytes: UnsafeRawBufferPointer
    package var owner: AnyObject

    package init(_ bytes: UnsafeRawBufferPointer, owner: AnyObject) {
      self.bytes = bytes
      self.owner = owner
    }
  }

  private var source: Source
  /// Bytes that were replaced: a view may be in the middle of them, and what it saw was checked.
  private var retired: [Source] = []
  private(set) var layout: SnapshotLayout
  private var isChecked: [Bool]
  private let checksum: (UnsafeRawBufferPointer) -> UInt32
  private let replacement: () -> Source

  /// The snapshot in these bytes; nil where they are none, one of another version, or broken at their end.
  package init?(
    _ source: Source, checksum: @escaping (UnsafeRawBufferPointer) -> UInt32, replacement: @escaping () -> Source
  ) {
    guard let layout = SnapshotLayout(of: source.bytes, checksum) else { return nil }
    self.source = source
    self.layout = layout
    self.checksum = checksum
    self.replacement = replacement
    isChecked = Array(repeating: false, count: layout.checksums.count / 4)
  }

  // MARK: Bytes

  /// Bytes as they were written, of the part that `place` names; made anew where they are not.
  private func bytes(_ place: (SnapshotLayout) -> Range<Int>) -> UnsafeRawBufferPointer {
    if let bytes = whole(place(layout)) { return bytes }
    replace()
    guard let bytes = whole(place(layout)) else { preconditionFailure("a snapshot just made is broken") }
    return bytes
  }

  /// Bytes as they were written; nil where a block of them is broken.
  private func whole(_ range: Range<Int>) -> UnsafeRawBufferPointer? {
    if range.isEmpty { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let blocks = range.lowerBound / SnapshotLayout.blockSize...(range.upperBound - 1) / SnapshotLayout.blockSize
    for block in blocks where block >= isChecked.count || !isChecked[block] {
      guard block < isChecked.count, isGood(block) else { return nil }
      isChecked[block] = true
    }
    return UnsafeRawBufferPointer(rebasing: source.bytes[range])
  }

  private func isGood(_ block: Int) -> Bool {
    let start = block * SnapshotLayout.blockSize
    let end = min(start + SnapshotLayout.blockSize, layout.checksums.lowerBound)
    let expected = source.bytes.number32(at: layout.checksums.lowerBound + block * 4)
    return checksum(UnsafeRawBufferPointer(rebasing: source.bytes[start..<end])) == expected
  }

  private func replace() {
    let source = replacement()
    guard let layout = SnapshotLayout(of: source.bytes, checksum) else {
      preconditionFailure("a snapshot just made is broken")
    }
    retired.append(self.source)
    self.source = source
    self.layout = layout
    isChecked = Array(repeating: false, count: layout.checksums.count / 4)
  }

  /// The writer's own bytes and everything of the state but the videos; nil where they are broken.
  package func beginning() -> (note: [UInt8], state: State)? {
    guard let note = whole(layout.note), let small = whole(layout.small) else { return nil }
    var decoder = SnapshotDecoder(small)
    guard var state = State.coded(nil, by: &decoder) else { return nil }
    state.videos = VideoTable(over: self)
    return (Array(note), state)
  }

  // MARK: Videos

  /// How many videos were found: the rows below this.
  var found: Int { layout.found }
  /// How many rows there are.
  var rows: Int { layout.rows }

  /// The video of a row.
  func video(of row: Int) -> Video { Video(record(row), in: self, row: row) }

  /// The video with this id.
  func video(of id: VideoID) -> Video? { row(of: id).map(video(of:)) }

  /// Calls `body` with the videos of the first rows, in order.
  func forEach(rows: Int, _ body: (Video) -> Void) {
    // All records at once: a look at each block's mark for each video would take longer than the videos.
    let records = bytes { $0.records.lowerBound..<$0.record(rows).lowerBound }
    for row in 0..<rows {
      let start = row * SnapshotLayout.recordSize
      let record = UnsafeRawBufferPointer(rebasing: records[start..<start + SnapshotLayout.recordSize])
      body(Video(VideoRecord(bytes: record), in: self, row: row))
    }
  }

  /// The last event that found or marked one of the videos found.
  var lastWord: EventID? {
    let records = bytes { $0.records.lowerBound..<$0.record(found).lowerBound }
    var last: EventID?
    for start in stride(from: 0, to: records.count, by: SnapshotLayout.recordSize) {
      let record = VideoRecord(
        bytes: UnsafeRawBufferPointer(rebasing: records[start..<start + SnapshotLayout.recordSize]))
      if let found = record.found, last.map({ $0 < found }) ?? true { last = found }
      if let marked = record.statusStamp, last.map({ $0 < marked }) ?? true { last = marked }
    }
    return last
  }

  /// By what the rows are in order.
  func key(of row: Int) -> VideoOrder {
    let record = record(row)
    return VideoOrder(isFound: row < found, published: record.published, id: record.id)
  }

  private func record(_ row: Int) -> VideoRecord { VideoRecord(bytes: bytes { $0.record(row) }) }

  /// The row of a video.
  func row(of id: VideoID) -> Int? {
    let slots = layout.index.count / 4
    guard slots > 0 else { return nil }
    var slot = VideoSnapshot.slot(of: id, among: slots)
    while true {
      let entry = bytes { $0.index.lowerBound + slot * 4..<$0.index.lowerBound + slot * 4 + 4 }.number32(at: 0)
      guard entry > 0 else { return nil }
      if record(Int(entry) - 1).id == id { return Int(entry) - 1 }
      slot = (slot + 1) & (slots - 1)
    }
  }

  /// Where the search for an id begins; `slots` is a power of two.
  static func slot(of id: VideoID, among slots: Int) -> Int {
    Int(truncatingIfNeeded: (id.bits &* 0x9e37_79b9_7f4a_7c15) >> 32) & (slots - 1)
  }

  /// The title of a row's video.
  func title(of row: Int) -> String {
    let title = heap(of: row, \.title).bindMemory(to: UInt8.self)
    // Its checksum says that it is the text that was written: to validate it again took a third of a look at each title.
    return String(copying: UTF8Span(unchecked: title.span))
  }

  /// The key of the title of a row's video.
  func titleKey(of row: Int) -> TextKey { TextKey(title: heap(of: row, \.title)) }

  /// The rare members of a row's video.
  func rareMembers(of row: Int) -> RareMembers {
    var decoder = SnapshotDecoder(heap(of: row, \.rare))
    return RareMembers.coded(nil, by: &decoder) ?? RareMembers()
  }

  private func heap(of row: Int, _ place: (VideoRecord) -> Range<Int>) -> UnsafeRawBufferPointer {
    if let bytes = whole(place(record(row))) { return bytes }
    replace()
    return bytes { _ in place(record(row)) }
  }

  // MARK: Views

  /// Calls `body` with the record of each row of those found, in order, until it is false: of `part`, only `among` these
  /// where it is not nil, and without `others`. Looks at no block of records in which none of them is.
  func forEachRecord(
    _ part: VideoTable.Part, among rows: DocumentSet?, without others: DocumentSet?,
    _ body: (VideoRecord, Int) -> Bool
  ) {
    for start in stride(from: 0, to: found, by: 64) {
      let end = min(start + 64, found)
      var rest = UInt64.max >> UInt64(64 - (end - start))
      if let rows { rest &= rows.words[start / 64] }
      if let others { rest &= ~others.words[start / 64] }
      if part == .open, rest != 0 { rest &= openRows(from: start) }
      guard rest != 0 else { continue }
      let records = bytes { $0.record(start).lowerBound..<$0.record(end).lowerBound }
      while rest != 0 {
        let row = start + rest.trailingZeroBitCount
        let place = (row - start) * SnapshotLayout.recordSize
        let record = UnsafeRawBufferPointer(rebasing: records[place..<place + SnapshotLayout.recordSize])
        guard body(VideoRecord(bytes: record), row) else { return }
        rest &= rest - 1
      }
    }
  }

  /// Which of the 64 rows from a multiple of 64 on are of videos that may be new to the person.
  private func openRows(from row: Int) -> UInt64 {
    bytes { $0.open.lowerBound + row / 8..<$0.open.lowerBound + row / 8 + 8 }.number64(at: 0)
  }

  /// Calls `body` with each row of those found, its channel and the keys of its texts.
  func forEachText(_ body: (Int, ChannelID, _ title: TextKey, _ description: TextKey?) -> Void) {
    // First what may be broken, for then all is made anew.
    _ = bytes(\.heap)
    let records = bytes { $0.records.lowerBound..<$0.record(found).lowerBound }
    let heap = bytes(\.heap)
    for row in 0..<found {
      let start = row * SnapshotLayout.recordSize
      let record = VideoRecord(
        bytes: UnsafeRawBufferPointer(rebasing: records[start..<start + SnapshotLayout.recordSize]))
      // The heap is what a snapshot begins with.
      body(row, record.channel, TextKey(title: UnsafeRawBufferPointer(rebasing: heap[record.title])), record.textKey)
    }
  }

  /// The rows of videos that have no class.
  var specialRows: [Int] {
    let rows = bytes(\.special)
    return stride(from: 0, to: rows.count, by: 4).map { Int(rows.number32(at: $0)) }
  }

  /// The classes and how many videos each has.
  var classes: [(VideoClass, count: Int)] {
    let tally = bytes(\.tally)
    return stride(from: 0, to: tally.count, by: VideoClass.size).map { VideoClass.read(tally, at: $0) }
  }
}
