import Core
import FeedParser
import SQLDrivers
import TestSupport
import Testing

@testable import Importers

/// The files to import in tests.
enum Files {
  /// The bytes of one of the package's own files.
  static func fixture(_ name: String) throws -> [UInt8] {
    try #require(PackageFiles.read(PackageFiles.root + "/Fixtures/imports/" + name))
  }

  /// The bytes of a recorded file.
  static func sample(_ name: String) throws -> [UInt8] {
    try #require(PackageFiles.read((samples ?? "") + "/imports/" + name))
  }

  /// The folder of recorded files, which are not part of the package.
  static let samples = PackageFiles.samples
}

extension ImportedFile {
  /// Imports a file given as bytes, parsing OPML and databases as the program does.
  init(_ bytes: some Collection<UInt8>, limits: ImportLimits = .standard) throws {
    func rows(_ bytes: [UInt8], _ queries: [TableQuery]) throws(ImportError) -> [[[String?]]?] {
      do {
        let database = try ForeignDatabase(bytes)
        return try queries.map { try database.rows($0.sql, of: $0.tables, limit: $0.limit) }
      } catch { throw .damagedDatabase }
    }
    self = try ImportedFile.read(Array(bytes), limits: limits, database: rows, opml: { try Outline.read(opml: $0) })
  }

  /// Imports a file given as text.
  init(_ text: String, limits: ImportLimits = .standard) throws { try self.init(text.utf8, limits: limits) }

  /// The required value of `read`.
  var sumOfRows: Int {
    let accepted = subscriptions.count + unresolved.count + watches.count
    let collected = collections.map(\.videos.count).reduce(0, +)
    let skipped = notYouTube.count + videos.count + archived + advertisements + withoutVideo
    return accepted + collected + duplicates + skipped + refused.count
  }

  /// The lines of the rejected rows.
  var refusedLines: [Int] { refused.map(\.location.line) }
}
