import Core
import FeedXML
import Glibc
import Testing

@testable import Import

/// Where the tests find files to import.
enum Files {
  /// The bytes of one of the package's own files.
  static func fixture(_ name: String) throws -> [UInt8] {
    try #require(read(packageRoot + "/Fixtures/imports/" + name))
  }

  /// The bytes of a recorded file.
  static func sample(_ name: String) throws -> [UInt8] { try #require(read((samples ?? "") + "/imports/" + name)) }

  /// Recorded files, which are no part of the package: named by the environment, or beside the package.
  static let samples: String? = {
    if let named = getenv("METUBE_RSS_SAMPLES") { return String(cString: named) }
    let beside = packageRoot + "/../shared/samples"
    return access(beside, R_OK) == 0 ? beside : nil
  }()

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }

  private static let packageRoot: String = {
    var folder = #filePath[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      if access(folder + "/Package.swift", R_OK) == 0 { return String(folder) }
    }
    return "."
  }()
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
