import CArchive
import JSON

/// A zip file, or a tar file within gzip, unpacked front to back by libarchive within limits for the whole archive.
///
/// The only code that touches libarchive.
final class Archive {
  /// A file in the archive.
  struct Entry {
    /// The name including folders: `Takeout/YouTube and YouTube Music/subscriptions/subscriptions.csv`.
    var name: String
    /// Its first bytes, up to `startLength`; empty if it is packed by an unsupported method.
    var start: [UInt8] = []
    /// The position in the packed file at which it begins.
    fileprivate var packedStart: Int64 = 0
    fileprivate var unpackedCount = 0
  }

  private let handle: OpaquePointer
  private let packed: PackedBytes
  private let isZip: Bool
  private let limits: ImportLimits
  /// How many more bytes may be unpacked.
  private var budget: Int
  private var entryCount = 0
  private var entry = Entry(name: "")

  /// Opens an archive, `archive_read_open1`; nil without libarchive.
  init?(_ source: ImportSource, isZip: Bool, limits: ImportLimits) {
    packed = PackedBytes(source)
    let client = Unmanaged.passUnretained(packed).toOpaque()
    guard let handle = carchive_open(isZip ? 1 : 0, client, readPacked, seekPacked) else { return nil }
    (self.handle, self.isZip, self.limits) = (handle, isZip, limits)
    budget = limits.streamedBytes
  }

  deinit { carchive_close(handle) }

  /// The next file, with its first bytes; nil at the end. Throws if the archive is damaged or has too many entries or
  /// an unsafe name. `archive_read_next_header`.
  func next(startLength: Int) throws(ImportError) -> Entry? {
    while true {
      var name: UnsafePointer<CChar>?
      var isFile: Int32 = 0
      let status = carchive_next(handle, &name, &isFile)
      if let failure = packed.failure { throw failure }
      if status == ARCHIVE_EOF { return nil }
      guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let name else {
        // Any gzip file may be given; a zip file without a directory is an incomplete download.
        throw !isZip && carchive_is_unknown(handle) != 0 ? .notUnderstood(looksLike: .gzip) : .archive(.damaged)
      }
      entryCount += 1
      guard entryCount <= limits.archiveEntries else { throw .archive(.tooManyEntries(limit: limits.archiveEntries)) }
      entry = Entry(name: String(cString: name), packedStart: carchive_consumed(handle))
      guard Archive.isSafe(entry.name) else { throw .archive(.unsafeName(entry.name)) }
      guard isFile != 0 else { continue }
      entry.start = try piece(startLength)
      return entry
    }
  }

  /// A reader of the bytes of the entry last returned, including its start.
  func reader() -> ByteReader {
    var start: [UInt8]? = entry.start
    return ByteReader(pieces: {
      if let first = start.take(), !first.isEmpty { return first }
      return try self.piece(1 << 16)
    })
  }

  /// All bytes of the entry last returned; throws `tooLarge` if more than `limit`.
  func contents(limit: Int) throws(ImportError) -> [UInt8] {
    var contents = entry.start
    while case let piece = try piece(1 << 16), !piece.isEmpty {
      contents += piece
      guard contents.count <= limit else { throw .tooLarge(limit: limit) }
    }
    return contents
  }

  /// Calls `body` with the bytes of the entry last returned, including its start, in pieces.
  func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
    if !entry.start.isEmpty { try body(entry.start) }
    while case let piece = try piece(1 << 16), !piece.isEmpty { try body(piece) }
  }

  /// The next bytes of the entry; empty at its end, or if its packing method is unsupported. `archive_read_data`.
  private func piece(_ length: Int) throws(ImportError) -> [UInt8] {
    var status = 0
    let piece = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      status = carchive_data(handle, buffer.baseAddress, length)
      count = max(0, status)
    }
    if let failure = packed.failure { throw failure }
    if status == ARCHIVE_FAILED, entry.unpackedCount == 0 { return [] }
    guard status >= 0 else { throw .archive(.damagedEntry(entry.name)) }
    budget -= piece.count
    guard budget >= 0 else { throw .tooLarge(limit: limits.streamedBytes) }
    entry.unpackedCount += piece.count
    // A small entry of one repeated byte has any ratio and does no harm.
    let allowed = (Int(carchive_consumed(handle) - entry.packedStart)).multipliedReportingOverflow(
      by: limits.archiveRatio)
    guard allowed.overflow || entry.unpackedCount <= max(allowed.partialValue, 1 << 20) else {
      throw .archive(.ratio(entry.name, limit: limits.archiveRatio))
    }
    return piece
  }

  /// Whether a name stays inside the folder it is unpacked to: no `..`, no root, no drive, no backslash.
  private static func isSafe(_ name: String) -> Bool {
    if name.hasPrefix("/") || name.contains("\\") || name.dropFirst().first == ":" { return false }
    return !name.split(separator: "/").contains("..")
  }
}

/// The packed file, as libarchive reads it: a piece is valid until the next.
private final class PackedBytes {
  private let source: ImportSource
  private var offset = 0
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
  /// Why reading failed.
  private(set) var failure: ImportError?

  init(_ source: ImportSource) { self.source = source }

  deinit { piece.deallocate() }

  /// Reads the next piece; returns its length, 0 at the end, or an error code.
  func read(_ start: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
    do throws(ImportError) {
      let bytes = try source.bytes(at: offset, count: piece.count)
      piece.copyBytes(from: bytes)
      offset += bytes.count
      start?.pointee = UnsafeRawPointer(piece.baseAddress)
      return bytes.count
    } catch {
      failure = error
      return Int(ARCHIVE_FATAL)
    }
  }

  /// Moves to a position, as `lseek` does.
  func seek(_ distance: Int64, from origin: Int32) -> Int64 {
    let base = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? offset : source.count
    offset = min(max(0, base + Int(distance)), source.count)
    return Int64(offset)
  }
}

private func readPacked(
  _: OpaquePointer?, _ client: UnsafeMutableRawPointer?, _ start: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> Int {
  client.map { Unmanaged<PackedBytes>.fromOpaque($0).takeUnretainedValue().read(start) } ?? Int(ARCHIVE_FATAL)
}

private func seekPacked(_: OpaquePointer?, _ client: UnsafeMutableRawPointer?, _ distance: Int64, _ origin: Int32)
  -> Int64
{
  client.map { Unmanaged<PackedBytes>.fromOpaque($0).takeUnretainedValue().seek(distance, from: origin) }
    ?? Int64(ARCHIVE_FATAL)
}
