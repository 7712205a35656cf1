import Glibc

/// The package's files, and those that may be next to it, for tests.
package enum PackageFiles {
  /// The package's own folder.
  package static let root: String = {
    var folder = #filePath[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      if access(folder + "/Package.swift", R_OK) == 0 { return String(folder) }
    }
    return "."
  }()

  /// The folder of recorded documents, which are not part of the package.
  package static let samples = outside("samples", "METUBE_RSS_SAMPLES")

  /// A folder outside the package: named by an environment variable, or next to the package.
  package static func outside(_ name: String, _ variable: String) -> String? {
    if let named = getenv(variable) { return String(cString: named) }
    let beside = root + "/../shared/" + name
    return access(beside, R_OK) == 0 ? beside : nil
  }

  /// The contents of a file; nil if missing.
  package static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }
}
