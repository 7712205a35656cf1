import Glibc
import Testing

/// Where the tests find their documents.
enum Files {
  /// The bytes of one of the package's own documents.
  static func fixture(_ path: String) throws -> [UInt8] { try #require(read(packageRoot + "/Fixtures/" + path)) }

  /// The bytes of a recorded document.
  static func sample(_ path: String) throws -> [UInt8] { try #require(read((samples ?? "") + "/" + path)) }

  /// Recorded documents, which are no part of the package: named by the environment, or beside the package.
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
