import Core
import JSON

/// What `export archive` writes: the logs of a person's devices in a zip file, which is a folder for `--home` once it is
/// unpacked.
///
/// ```
/// metube-rss.json       {"archive":"metube-rss","version":1,"made":"2026-11-27T12:00:00Z","program":"1.0.0"}
/// log/k3v9x2ap.jsonl    the lines of a device's log
/// ```
package enum HomeArchive {
  /// The name of the first entry, which says what the file is.
  package static let manifest = "metube-rss.json"
  /// The value of its member `archive`, and the highest version that is understood.
  package static let kind = "metube-rss"
  package static let version = 1

  /// The name of the entry of a log.
  package static func entry(ofLog name: String) -> String { folder + name + ending }

  private static let folder = "log/"
  private static let ending = ".jsonl"

  /// Why a file that says it is such an archive is refused.
  package enum Flaw: Error, Equatable, Sendable {
    /// Written by a later version of the program.
    case laterVersion(Int)
    /// An entry that such an archive never has.
    case foreignEntry(String)
    /// Two entries with one name.
    case repeated(String)
  }

  /// What happens to a log in the archive.
  package struct Reader {
    /// Begins a log, with the name of its file without `.jsonl`.
    package var begin: (String) throws -> Void
    /// Takes the next bytes of it.
    package var take: ([UInt8]) throws -> Void
    /// Ends it.
    package var end: () throws -> Void

    package init(
      begin: @escaping (String) throws -> Void, take: @escaping ([UInt8]) throws -> Void,
      end: @escaping () throws -> Void
    ) {
      (self.begin, self.take, self.end) = (begin, take, end)
    }
  }

  /// Reads an archive front to back; nothing of it is unpacked to a disk. Returns false if the file is something else.
  /// Throws a `Flaw`, an `ImportError`, or what the reader throws.
  package static func read(_ source: ImportSource, limits: ImportLimits, _ reader: Reader) throws -> Bool {
    let start = try source.bytes(at: 0, count: 4)
    guard start.elementsEqual("PK\u{3}\u{4}".utf8),
      let archive = Archive(source, isZip: true, limits: limits), try isManifest(of: archive)
    else { return false }
    var names: Set<String> = []
    while let entry = try archive.next(startLength: 1 << 16) {
      guard let log = log(entry.name) else { throw Flaw.foreignEntry(entry.name) }
      guard names.insert(log).inserted else { throw Flaw.repeated(entry.name) }
      try reader.begin(log)
      try archive.forEachPiece(reader.take)
      try reader.end()
    }
    return true
  }

  /// Whether the first entry says that this is such an archive. Throws `laterVersion` if it is one of a later version.
  private static func isManifest(of archive: Archive) throws -> Bool {
    // Whatever is wrong with another archive, its own reader says.
    guard let first = try? archive.next(startLength: manifestLength), first.name == manifest,
      let value = JSONValue(first.start), value["archive"]?.text == kind
    else { return false }
    guard let version = value["version"]?.number, version == Double(HomeArchive.version) else {
      throw Flaw.laterVersion(value["version"]?.number.flatMap { Int(exactly: $0) } ?? 0)
    }
    return true
  }

  /// The longest first entry, in bytes.
  private static let manifestLength = 4096

  /// The name of the log in an entry; nil if it is not an entry of a log.
  private static func log(_ entry: String) -> String? {
    guard entry.hasPrefix(folder), entry.hasSuffix(ending) else { return nil }
    let name = entry.dropFirst(folder.count).dropLast(ending.count)
    let isPlain = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || "._-".utf8.contains(byte)
    }
    return isPlain && (1...200).contains(name.utf8.count) ? String(name) : nil
  }
}

extension ImportLimits {
  /// The limits for archives: what is kept of a person's logs. Lines of logs pack to a tenth, seldom to a thirtieth.
  package static let archive = ImportLimits(
    textBytes: 0, streamedBytes: 16 << 30, rows: 0, watches: 0, descriptionBytes: 0, archiveEntries: 1000,
    archiveRatio: 60)
}
