import TestSupport
import Testing

/// The test documents.
enum Files {
  /// The bytes of one of the package's own documents.
  static func fixture(_ path: String) throws -> [UInt8] {
    try #require(PackageFiles.read(PackageFiles.root + "/Fixtures/" + path))
  }

  /// The bytes of a recorded document.
  static func sample(_ path: String) throws -> [UInt8] {
    try #require(PackageFiles.read((samples ?? "") + "/" + path))
  }

  /// The folder of recorded documents, which are not part of the package.
  static let samples = PackageFiles.samples
}
