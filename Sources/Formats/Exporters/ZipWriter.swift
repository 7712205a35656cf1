import Core
import Gzip

/// Writes a zip file (APPNOTE 6.3) front to back: entries are packed as they come, and their sizes follow them.
///
/// ```
/// var zip = ZipWriter(at: now)
/// zip.begin("newpipe.db", to: &bytes)
/// zip.add(piece, to: &bytes)
/// try zip.end(to: &bytes)
/// ```
package struct ZipWriter {
  /// Why an archive cannot be written: an entry or the whole is larger than the format holds without its extension for
  /// 64 bits, which not every program reads.
  package struct TooLarge: Error {}

  private struct Entry {
    var name: [UInt8]
    /// Where it begins in the file.
    var start: UInt64
    var checksum: UInt32 = 0
    var count: UInt64 = 0
    var packedCount: UInt64 = 0
  }

  private var entries: [Entry] = []
  private var packer: Deflater?
  /// The number of bytes so far.
  private var length: UInt64 = 0
  /// The time of all entries, as MS-DOS writes it.
  private let time: (date: UInt16, time: UInt16)

  /// An archive whose entries have this time.
  package init(at time: Timestamp) {
    let days = CivilDate(daysSinceEpoch: Int(time.seconds / 86_400))
    let second = Int(time.seconds % 86_400)
    // It counts the years from 1980, and every other second.
    let year = min(max(days.year - 1980, 0), 127)
    self.time = (
      UInt16(year << 9 | days.month << 5 | days.day),
      UInt16(second / 3600 << 11 | second / 60 % 60 << 5 | second % 60 / 2)
    )
  }

  /// Begins an entry; `name` has folders before slashes.
  package mutating func begin(_ name: String, to bytes: inout [UInt8]) {
    precondition(packer == nil, "the entry before is not ended")
    let entry = Entry(name: Array(name.utf8), start: length)
    let before = bytes.count
    bytes.append(four: 0x0403_4B50)
    appendHeader(of: entry, to: &bytes)
    bytes.append(contentsOf: entry.name)
    length += UInt64(bytes.count - before)
    entries.append(entry)
    packer = Deflater(.raw)
  }

  /// Adds bytes to the entry.
  package mutating func add(_ content: [UInt8], to bytes: inout [UInt8]) {
    let before = bytes.count
    packer?.add(content, to: &bytes)
    length += UInt64(bytes.count - before)
  }

  /// Ends the entry.
  package mutating func end(to bytes: inout [UInt8]) throws(TooLarge) {
    guard let packer = packer.take(), var entry = entries.popLast() else { return }
    let before = bytes.count
    packer.end(to: &bytes)
    (entry.checksum, entry.count, entry.packedCount) = (packer.checksum, packer.count, packer.packedCount)
    guard max(entry.count, entry.packedCount) < ZipWriter.limit else { throw TooLarge() }
    bytes.append(four: 0x0807_4B50)
    appendSizes(of: entry, to: &bytes)
    length += UInt64(bytes.count - before)
    entries.append(entry)
  }

  /// Ends the archive.
  package mutating func finish(to bytes: inout [UInt8]) throws(TooLarge) {
    let (start, before) = (length, bytes.count)
    for entry in entries {
      bytes.append(four: 0x0201_4B50)
      // Made by version 2.0 on Unix, whose mode of the file is in the attributes: 0600.
      bytes.append(two: 0x0314)
      appendHeader(of: entry, to: &bytes)
      bytes.append(contentsOf: [UInt8](repeating: 0, count: 6))
      bytes.append(four: 0o100600 << 16)
      bytes.append(four: UInt32(truncatingIfNeeded: entry.start))
      bytes.append(contentsOf: entry.name)
    }
    length += UInt64(bytes.count - before)
    guard length < ZipWriter.limit, entries.count < 0xFFFF else { throw TooLarge() }
    let (size, count) = (UInt32(length - start), UInt16(entries.count))
    bytes.append(four: 0x0605_4B50)
    bytes.append(four: 0)
    bytes.append(two: count)
    bytes.append(two: count)
    bytes.append(four: size)
    bytes.append(four: UInt32(start))
    bytes.append(two: 0)
  }

  /// The exclusive limit of sizes and positions.
  private static let limit: UInt64 = 0xFFFF_FFFF

  /// What the header before an entry and that in the directory have in common.
  private func appendHeader(of entry: Entry, to bytes: inout [UInt8]) {
    // Version 2.0; sizes after the data, names in UTF-8; deflate.
    bytes.append(two: 20)
    bytes.append(two: 0x0808)
    bytes.append(two: 8)
    bytes.append(two: time.time)
    bytes.append(two: time.date)
    appendSizes(of: entry, to: &bytes)
    bytes.append(two: UInt16(entry.name.count))
    bytes.append(two: 0)
  }

  private func appendSizes(of entry: Entry, to bytes: inout [UInt8]) {
    bytes.append(four: entry.checksum)
    bytes.append(four: UInt32(truncatingIfNeeded: entry.packedCount))
    bytes.append(four: UInt32(truncatingIfNeeded: entry.count))
  }
}

extension [UInt8] {
  fileprivate mutating func append(two value: UInt16) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  fileprivate mutating func append(four value: UInt32) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
