import Glibc
import TestSupport
import Testing

@testable import Core

/// Golden files: the package's expected outputs.
enum GoldenFiles {
  /// The folder of the package.
  static let packageRoot = PackageFiles.root

  /// The path of a file in `Fixtures/views`.
  static func path(_ name: String) -> String { "\(packageRoot)/Fixtures/views/\(name)" }

  /// The bytes of a file in `Fixtures/views`.
  static func read(_ name: String) throws -> [UInt8] { try read(at: path(name)) }

  /// The bytes of any file.
  static func read(at path: String) throws -> [UInt8] {
    try #require(PackageFiles.read(path), "no file \(path)")
  }

  /// Checks a view's output against a golden file; with `METUBE_RSS_RECORD` in the environment, replaces the file
  /// instead.
  static func expect(_ bytes: [UInt8], are name: String) throws {
    if getenv("METUBE_RSS_RECORD") != nil {
      let file = try #require(fopen(path(name), "wb"))
      defer { fclose(file) }
      try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
    let expected = String(decoding: try read(name), as: UTF8.self).split(separator: "\n")
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    for (line, wanted) in zip(lines, expected) { #expect(line == wanted, "\(name)") }
    #expect(lines.count == expected.count, "\(name)")
  }
}

/// An external program that validates output.
struct Judge {
  private let path: String

  /// The program with this name; nil if not installed.
  init?(_ name: String) {
    let folders = ["/usr/bin", "/usr/local/bin", "/bin"]
    guard let folder = folders.first(where: { access("\($0)/\(name)", X_OK) == 0 }) else { return nil }
    path = "\(folder)/\(name)"
  }

  /// The program's output with these arguments, and whether it succeeded.
  func verdict(_ arguments: [String]) throws -> (isGood: Bool, output: String) {
    let quoted = arguments.map {
      "'" + $0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
    let pipe = try #require(popen("\(path) \(quoted.joined(separator: " ")) 2>&1", "r"))
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { bytes += buffer[..<count] }
    return (pclose(pipe) == 0, String(decoding: bytes, as: UTF8.self))
  }
}
