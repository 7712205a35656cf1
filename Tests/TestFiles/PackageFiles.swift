import Glibc

/// The files of the package, and those that may lie beside it, for tests.
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

  /// Recorded documents, which are no part of the package.
  package static let samples = outside("samples", "METUBE_RSS_SAMPLES")

  /// A folder that is no part of the package: named by a variable of the environment, or beside the package.
  package static func outside(_ name: String, _ variable: String) -> String? {
    if let named = getenv(variable) { return String(cString: named) }
    let beside = root + "/../shared/" + name
    return access(beside, R_OK) == 0 ? beside : nil
  }

  /// A whole file's bytes; nil where there is none.
  package static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }
}
