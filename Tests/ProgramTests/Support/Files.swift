import Glibc
import Testing

/// Where the tests find their files.
enum Files {
  /// Whole files' bytes; nil where there is none.
  static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }

  /// The bytes of a recorded file.
  static func sample(_ path: String) throws -> [UInt8] { try #require(read((samples ?? "") + "/" + path)) }

  /// The package's own folder.
  static let packageRoot: String = {
    var folder = #filePath[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      if access(folder + "/Package.swift", R_OK) == 0 { return String(folder) }
    }
    return "."
  }()

  /// Recorded files, which are no part of the package: named by the environment, or beside the package.
  static let samples = outside("samples", "METUBE_RSS_SAMPLES")
  /// The RELAX NG grammar of Atom (RFC 4287, appendix B), which is no part of the package either.
  static let atomGrammar: String? = outside("judges", "METUBE_RSS_JUDGES").map { $0 + "/atom.rng" }.flatMap {
    access($0, R_OK) == 0 ? $0 : nil
  }

  /// The folder of the running tests: `.build/debug` or `.build/release`. `realpath`.
  static let folderOfTests: String = {
    guard let path = realpath("/proc/self/exe", nil) else { return "." }
    defer { free(path) }
    let folder = String(cString: path).split(separator: "/").dropLast().map { "/" + $0 }.joined()
    return access(folder + "/metube-rss", X_OK) == 0 ? folder : packageRoot + "/.build/debug"
  }()

  private static func outside(_ name: String, _ variable: String) -> String? {
    if let named = getenv(variable) { return String(cString: named) }
    let beside = packageRoot + "/../shared/" + name
    return access(beside, R_OK) == 0 ? beside : nil
  }
}
