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
