import Core
import FeedXML
import TestFiles
import Testing

@testable import Import

/// Where the tests find files to import.
enum Files {
  /// The bytes of one of the package's own files.
  static func fixture(_ name: String) throws -> [UInt8] {
    try #require(PackageFiles.read(PackageFiles.root + "/Fixtures/imports/" + name))
  }

  /// The bytes of a recorded file.
  static func sample(_ name: String) throws -> [UInt8] {
    try #require(PackageFiles.read((samples ?? "") + "/imports/" + name))
  }

  /// Recorded files, which are no part of the package.
  static let samples = PackageFiles.samples
}

extension ImportedFile {
  /// Reads a file given as bytes, OPML as the program does.
  init(_ bytes: some Collection<UInt8>, limits: ImportLimits = .standard) throws {
    self = try Array(bytes).withUnsafeBytes {
      try ImportedFile.read($0, limits: limits, opml: { try Outline.read(opml: $0) })
    }
  }

  /// Reads a file given as text.
  init(_ text: String, limits: ImportLimits = .standard) throws { try self.init(text.utf8, limits: limits) }

  /// The sum that `read` has to be.
  var sumOfRows: Int {
    let accepted = subscriptions.count + unresolved.count + watches.count
    let collected = collections.map(\.videos.count).reduce(0, +)
    return accepted + collected + duplicates + notYouTube.count + advertisements + withoutVideo + refused.count
  }

  /// The lines of the rows that were refused.
  var refusedLines: [Int] { refused.map(\.place.line) }
}
