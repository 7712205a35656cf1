/// The central directory of a zip archive (PKWARE APPNOTE 6.3.10, §4.3.12 to §4.3.16), including its 64-bit form.
///
/// It is at the end of the file and the only place where sizes are always right: an entry's own header may have 0, with
/// the right sizes after the data.
struct ZipDirectory {
  /// The entries in directory order.
  let entries: [ZipEntry]

  /// Reads the directory of an archive; throws if it is damaged, too long, or has an unsafe name.
  init(_ archive: ImportSource, limits: ImportLimits) throws(ImportError) {
    guard let place = try ZipDirectory.place(in: archive) else { throw .archive(.damaged) }
    guard place.count <= limits.archiveEntries else {
      throw .archive(.tooManyEntries(limit: limits.archiveEntries))
    }
    let directory = try archive.bytes(at: place.offset, count: limits.textBytes)
    do {
      entries = try directory.withUnsafeBytes { ZipDirectory.entries(in: $0, count: place.count) }.get()
    } catch { throw .archive(error) }
  }

  private static func entries(in directory: UnsafeRawBufferPointer, count: Int) -> Result<[ZipEntry], ArchiveFault> {
    var entries: [ZipEntry] = []
    var offset = 0
    for _ in 0..<count {
      guard let (entry, length) = entry(at: offset, in: directory) else { return .failure(.damaged) }
      guard entry.hasSafeName else { return .failure(.unsafeName(entry.name)) }
      entries.append(entry)
      offset += length
    }
    return .success(entries)
  }

  /// The end record, the longest comment, and the 64-bit locator before them, in bytes.
  private static let tailLength = 22 + 0xFFFF + 20

  /// The directory's offset and number of entries, from the end record.
  private static func place(in archive: ImportSource) throws(ImportError) -> (offset: Int, count: Int)? {
    let tail = try archive.bytes(at: max(0, archive.count - tailLength), count: tailLength)
    guard let end = tail.withUnsafeBytes({ end(in: $0) }) else { return nil }
    guard end.count == 0xFFFF || end.offset == 0xFFFF_FFFF else {
      return end.offset <= archive.count ? (end.offset, end.count) : nil
    }
    guard let wide = end.wideRecord, wide <= archive.count else { return nil }
    let record = try archive.bytes(at: wide, count: 56)
    guard let place = record.withUnsafeBytes({ wideEnd(in: $0) }), place.offset <= archive.count else { return nil }
    return place
  }

  /// Parses the end record, which is followed by a comment of up to 65,535 bytes. A locator just before it points to
  /// the 64-bit record.
  private static func end(in tail: UnsafeRawBufferPointer) -> (offset: Int, count: Int, wideRecord: Int?)? {
    let last = tail.count - 22
    guard last >= 0 else { return nil }
    let places = stride(from: last, through: max(0, last - 0xFFFF), by: -1)
    guard let place = places.first(where: { tail.uint32(at: $0) == 0x0605_4B50 }),
      let count = tail.uint16(at: place + 10), let offset = tail.uint32(at: place + 16)
    else { return nil }
    let hasLocator = tail.uint32(at: place - 20) == 0x0706_4B50
    return (offset, count, hasLocator ? tail.uint64(at: place - 12) : nil)
  }

  private static func wideEnd(in record: UnsafeRawBufferPointer) -> (offset: Int, count: Int)? {
    guard record.uint32(at: 0) == 0x0606_4B50, let count = record.uint64(at: 32), let offset = record.uint64(at: 48)
    else { return nil }
    return (offset, count)
  }

  /// The entry whose description is at an offset, and the length of the description.
  private static func entry(at offset: Int, in archive: UnsafeRawBufferPointer) -> (ZipEntry, length: Int)? {
    guard archive.uint32(at: offset) == 0x0201_4B50, let flags = archive.uint16(at: offset + 8),
      let method = archive.uint16(at: offset + 10), let checksum = archive.uint32(at: offset + 16),
      let packed = archive.uint32(at: offset + 20), let unpacked = archive.uint32(at: offset + 24),
      let nameLength = archive.uint16(at: offset + 28), let extraLength = archive.uint16(at: offset + 30),
      let commentLength = archive.uint16(at: offset + 32), let header = archive.uint32(at: offset + 42),
      let name = archive.slice(at: offset + 46, count: nameLength),
      let extra = archive.slice(at: offset + 46 + nameLength, count: extraLength)
    else { return nil }
    var sizes = [unpacked, packed, header]
    guard widen(&sizes, from: extra) else { return nil }
    let isEncrypted = flags & 1 != 0
    let known: [Int: ZipEntry.Method] = [0: .stored, 8: .deflated]
    let entry = ZipEntry(
      name: String(decoding: name, as: UTF8.self), method: isEncrypted ? .other : known[method] ?? .other,
      checksum: UInt(checksum), packedSize: sizes[1], unpackedSize: sizes[0],
      headerOffset: sizes[2])
    return (entry, 46 + nameLength + extraLength + commentLength)
  }

  /// Replaces the numbers that mean "see the extra field" with those of its 64-bit field (§4.5.3); false if that field
  /// has too few.
  private static func widen(_ numbers: inout [Int], from extra: UnsafeRawBufferPointer) -> Bool {
    guard numbers.contains(0xFFFF_FFFF) else { return true }
    var offset = 0
    while let id = extra.uint16(at: offset), let length = extra.uint16(at: offset + 2) {
      guard id == 1 else {
        offset += 4 + length
        continue
      }
      offset += 4
      for index in numbers.indices where numbers[index] == 0xFFFF_FFFF {
        guard let number = extra.uint64(at: offset) else { return false }
        numbers[index] = number
        offset += 8
      }
      return true
    }
    return false
  }
}

/// One entry of a zip archive, as its central directory describes it.
struct ZipEntry: Equatable {
  /// How an entry is packed.
  enum Method: Equatable {
    case stored
    case deflated
    /// An unsupported method, or encrypted.
    case other
  }

  /// The name including folders: `Takeout/YouTube and YouTube Music/subscriptions/subscriptions.csv`.
  var name: String
  var method: Method
  /// CRC-32 of the unpacked bytes.
  var checksum: UInt
  var packedSize: Int
  var unpackedSize: Int
  /// The offset of the entry's local header in the archive.
  var headerOffset: Int

  /// Whether this is a folder.
  var isFolder: Bool { name.hasSuffix("/") }

  /// Whether the name stays inside the folder it is unpacked to: no `..`, no root, no drive, no backslash.
  var hasSafeName: Bool {
    if name.hasPrefix("/") || name.contains("\\") || name.contains("\0") || name.dropFirst().first == ":" {
      return false
    }
    return !name.split(separator: "/").contains("..")
  }
}

/// Bounds-checked little-endian integers, as zip archives store them.
extension UnsafeRawBufferPointer {
  /// The 16-bit integer at an offset; nil if out of bounds.
  func uint16(at offset: Int) -> Int? { number(UInt16.self, at: offset).map(Int.init) }

  /// The 32-bit integer at an offset; nil if out of bounds.
  func uint32(at offset: Int) -> Int? { number(UInt32.self, at: offset).map(Int.init) }

  /// The 64-bit integer at an offset; nil if out of bounds or too large for `Int`.
  func uint64(at offset: Int) -> Int? { number(UInt64.self, at: offset).flatMap { Int(exactly: $0) } }

  /// The bytes from an offset; nil if out of bounds.
  func slice(at offset: Int, count length: Int) -> UnsafeRawBufferPointer? {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
    return UnsafeRawBufferPointer(rebasing: self[offset..<offset + length])
  }

  private func number<Number: FixedWidthInteger>(_: Number.Type, at offset: Int) -> Number? {
    slice(at: offset, count: MemoryLayout<Number>.size).map { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
  }
}
