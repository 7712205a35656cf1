import Core
import Glibc

/// Where in the logs the events about each thing are, kept in the cache so that the story of one video does not take the
/// reading of all.
///
/// Disposable, and tied to the logs as a checkpoint is: looked at only where every log it covers still begins with what
/// it covers.
struct EventPlaces {
  /// The logs it covers, in the order of the places' files.
  var covered: [Coverage.Covered]
  /// By key, then in the order of the files.
  private let entries: UnsafeRawBufferPointer
  private let owner: AnyObject

  /// Raised whenever the form changes, or what an event is looked up by.
  private static let magic = Fingerprint.of("metube-rss places 1")
  /// Key, file, offset.
  private static let entrySize = 24

  /// The places in the cache; nil where there are none to rely on.
  init?(in folders: Folders) {
    guard let map = MappedFile(folders.places), map.bytes.count >= 24 else { return nil }
    let checked = UnsafeRawBufferPointer(rebasing: map.bytes.dropLast(8))
    guard checked.number(at: 0) == EventPlaces.magic,
      map.bytes.number(at: checked.count) == UInt64(CRC32C.of(checked)),
      let length = Int(exactly: checked.number(at: 8)), length <= checked.count - 16,
      let coverage = Coverage(lines: Array(checked[16..<16 + length]), folder: folders.log)
    else { return nil }
    covered = coverage.files
    entries = UnsafeRawBufferPointer(rebasing: checked[(16 + length)...])
    owner = map
  }

  /// Writes places, in any order, to the cache. No sync: what does not reach the disk is found by its checksum.
  static func write(_ places: [EventPlace], _ covered: [Coverage.Covered], in folders: Folders) throws(LogError) {
    let coverage = Coverage(files: covered, ahead: [], clock: HybridClock(device: DeviceID(letters: 0))).lines
    var bytes: [UInt8] = []
    bytes.reserveCapacity(coverage.count + places.count * entrySize + 24)
    bytes.append(number: magic)
    bytes.append(number: UInt64(coverage.count))
    bytes += coverage
    for place in places.sorted() {
      bytes.append(number: place.key.bits)
      bytes.append(number: UInt64(place.file))
      bytes.append(number: place.offset)
    }
    bytes.append(number: UInt64(bytes.withUnsafeBytes(CRC32C.of)))
    try Directory.make(folders.cache)
    let file = try File(folders.places + ".new", .replace)
    guard try file.tryLock() else { return }
    try file.truncate(to: 0)
    try file.write(bytes)
    guard rename(file.path, folders.places) == 0 else {
      throw .failed(.rename, path: folders.places, errno: errno)
    }
  }

  /// How many places there are.
  var count: Int { entries.count / EventPlaces.entrySize }

  /// The places of a key, in the order of the files.
  subscript(key: EventKey) -> [EventPlace] {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if entries.number(at: middle * EventPlaces.entrySize) < key.bits { low = middle + 1 } else { high = middle }
    }
    var places: [EventPlace] = []
    while low < count, self[low].key == key {
      places.append(self[low])
      low += 1
    }
    return places
  }

  /// The place at a position.
  subscript(position: Int) -> EventPlace {
    let start = position * EventPlaces.entrySize
    return EventPlace(
      key: EventKey(bits: entries.number(at: start)), file: Int(truncatingIfNeeded: entries.number(at: start + 8)),
      offset: entries.number(at: start + 16))
  }
}

extension UnsafeRawBufferPointer {
  /// A little-endian number at a place.
  fileprivate func number(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension [UInt8] {
  /// Appends a little-endian number.
  fileprivate mutating func append(number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
