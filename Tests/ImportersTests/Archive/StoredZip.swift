/// Writes a zip archive of stored entries, optionally with false metadata.
struct StoredZip {
  private var body: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0
  /// Whether to write sizes and offsets in their 64-bit form.
  var isWide = false
  /// The unpacked size to claim, instead of the true one.
  var claimedSize: Int?
  /// The method to claim: 0 is stored.
  var method: UInt16 = 0

  mutating func add(_ name: String, _ contents: some Collection<UInt8>) {
    let offset = body.count
    let size = claimedSize ?? contents.count
    let checksum = crc32(contents)
    body += number(0x0403_4B50, 4) + number(20, 2) + number(0, 2) + number(Int(method), 2) + number(0, 4)
    body += number(checksum, 4) + number(contents.count, 4) + number(size, 4) + number(name.utf8.count, 2)
    body += number(0, 2) + Array(name.utf8) + Array(contents)
    let extra =
      isWide
      ? number(0x9999, 2) + number(1, 2) + [7] + number(1, 2) + number(24, 2) + wide(size, contents.count, offset) : []
    let numbers = isWide ? [0xFFFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFFF] : [contents.count, size, offset]
    directory += number(0x0201_4B50, 4) + number(20, 2) + number(20, 2) + number(0, 2) + number(Int(method), 2)
    directory += number(0, 4) + number(checksum, 4) + number(numbers[0], 4) + number(numbers[1], 4)
    directory += number(name.utf8.count, 2) + number(extra.count, 2) + number(0, 2) + number(0, 8)
    directory += number(numbers[2], 4) + Array(name.utf8) + extra
    count += 1
  }

  /// The whole archive, with a comment at its end.
  func bytes(comment: String = "") -> [UInt8] {
    var end: [UInt8] = []
    if isWide {
      end += number(0x0606_4B50, 4) + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8)
      end += wide(count, count, directory.count) + wide(body.count)
      end += number(0x0706_4B50, 4) + number(0, 4) + wide(body.count + directory.count) + number(1, 4)
    }
    let shownCount = isWide ? 0xFFFF : count
    end += number(0x0605_4B50, 4) + number(0, 4) + number(shownCount, 2) + number(shownCount, 2)
    end += number(directory.count, 4) + number(isWide ? 0xFFFF_FFFF : body.count, 4)
    return body + directory + end + number(comment.utf8.count, 2) + Array(comment.utf8)
  }

  private func wide(_ values: Int...) -> [UInt8] { values.flatMap { number($0, 8) } }

  private func number(_ value: Int, _ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

}

/// Writes a tar archive of one file (POSIX ustar), within gzip (RFC 1952) without compression.
enum StoredTar {
  static func gzipped(_ name: String, _ contents: some Collection<UInt8>) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    put(name, at: 0)
    put("0000644", at: 100)
    let size = String(contents.count, radix: 8)
    put(String(repeating: "0", count: 11 - size.count) + size, at: 124)
    put("        0", at: 148)
    put("ustar\u{0}00", at: 257)
    let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
    put(String(repeating: "0", count: 6 - sum.count) + sum + "\u{0} ", at: 148)
    let padding = [UInt8](repeating: 0, count: (512 - contents.count % 512) % 512 + 1024)
    let tar = header + Array(contents) + padding
    func number(_ value: Int, _ length: Int) -> [UInt8] {
      (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    // One stored block, RFC 1951 §3.2.4.
    let block = [1] + number(tar.count, 2) + number(~tar.count, 2) + tar
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + block + number(crc32(tar), 4) + number(tar.count, 4)
  }
}

/// The CRC-32 of gzip and zip.
private func crc32(_ bytes: some Collection<UInt8>) -> Int {
  var crc: UInt32 = .max
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1) * 0xEDB8_8320 }
  }
  return Int(~crc)
}
