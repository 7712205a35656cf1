import Foundation
import Gzip
import Testing

@testable import FixtureServer

private let gunzip = "/bin/gzip"

/// The output of gzip for packed bytes; nil if it rejects them.
private func unpacked(_ bytes: [UInt8]) throws -> [UInt8]? {
  let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gz")
  try Data(bytes).write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  let output = Pipe()
  let process = Process()
  process.executableURL = URL(filePath: gunzip)
  process.arguments = ["-dc", file.path]
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  try process.run()
  let data = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return process.terminationStatus == 0 ? Array(data) : nil
}

@Suite("Gzip", .enabled(if: FileManager.default.isExecutableFile(atPath: gunzip)))
struct GzipTests {
  @Test("gzip unpacks compressed bodies", arguments: ["", "a", "abcabcabcabcabcabcabcab", "Ünïcödé 日本語 🔥"])
  func roundTrip(text: String) throws {
    #expect(try unpacked(Gzip.pack(Array(text.utf8))) == Array(text.utf8))
  }

  @Test("Long bodies survive, whether of one repeated byte or varied")
  func longBodies() throws {
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: 100_000)
    #expect(try unpacked(Gzip.pack(spaces)) == spaces)
    let entries = (0..<3_000).flatMap { "<entry>\($0 * $0 % 977)</entry>".utf8 }
    #expect(try unpacked(Gzip.pack(entries)) == entries)
  }

  @Test("Every match length and distance is encoded correctly")
  func matches() throws {
    var bytes: [UInt8] = []
    for length in 3...260 {
      bytes += (0..<length).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ length) }
      bytes += [UInt8(length & 255)]
      bytes += Array(bytes.suffix(length + 1).prefix(length))
    }
    for distance in stride(from: 100, to: 40_000, by: 3_331) {
      bytes += Array(bytes.suffix(distance).prefix(50))
    }
    #expect(try unpacked(Gzip.pack(bytes)) == bytes)
  }

  @Test("Text becomes much smaller")
  func ratio() {
    let text = (0..<500).map { "  <yt:videoId>\($0)</yt:videoId>\n" }.joined()
    #expect(Gzip.pack(Array(text.utf8)).count * 4 < text.utf8.count)
  }

  @Test("A bomb unpacks completely")
  func bomb() throws {
    #expect(try unpacked(Gzip.bomb(bytes: 3_000_000)) == Array(repeating: UInt8(ascii: " "), count: 3_000_000))
  }
}
