import Glibc
import TestSupport
import Testing

/// The test files.
enum Files {
  /// The contents of a file; nil if missing.
  static func read(_ path: String) -> [UInt8]? { PackageFiles.read(path) }

  /// The bytes of a recorded file.
  static func sample(_ path: String) throws -> [UInt8] { try #require(read((samples ?? "") + "/" + path)) }

  /// The package's own folder.
  static let packageRoot = PackageFiles.root

  /// The folder of recorded files, which are not part of the package.
  static let samples = PackageFiles.samples
  /// The RELAX NG grammar of Atom (RFC 4287, appendix B), also not part of the package.
  static let atomGrammar: String? = PackageFiles.outside("judges", "METUBE_RSS_JUDGES").map { $0 + "/atom.rng" }.flatMap
  {
    access($0, R_OK) == 0 ? $0 : nil
  }

  /// The folder of the running tests: `.build/debug` or `.build/release`. `realpath`.
  static let folderOfTests: String = {
    guard let path = realpath("/proc/self/exe", nil) else { return "." }
    defer { free(path) }
    let folder = String(cString: path).split(separator: "/").dropLast().map { "/" + $0 }.joined()
    return access(folder + "/metube-rss", X_OK) == 0 ? folder : packageRoot + "/.build/debug"
  }()
}
