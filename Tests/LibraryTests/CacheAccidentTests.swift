import Core
import EventLog
import Glibc
import Library
import ReadModel
import Seeded
import SlowFold
import TestSupport
import Testing

/// Whether the cache recovers from whatever happened: every read succeeds, with what the logs say or with what `verify`
/// finds wrong and builds anew.
private func isGotOver(_ folder: TemporaryFolder, _ fold: SlowFold) throws -> Bool {
  if try library(folder.folders).agrees(with: fold) { return true }
  _ = try library(folder.folders).verify()
  return try library(folder.folders).agrees(with: fold)
}

/// The path of the database below a folder.
private func path(_ folder: TemporaryFolder) throws -> String { "cache/" + (try #require(folder.database)) }

@Test("Whatever bit of the database flips, nothing fails, and verifying mends it")
func flippedBits() throws {
  let folder = try cached(seed: 82)
  let fold = try folder.fold()
  let bytes = try #require(folder.read(path(folder)))
  var random = SeededGenerator(seed: 82)
  for _ in 0..<120 {
    var flipped = bytes
    let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
    flipped[bit / 8] ^= 1 << UInt8(bit % 8)
    folder.write(flipped, to: try path(folder))
    #expect(try isGotOver(folder, fold), "bit \(bit)")
  }
}

@Test("A database cut anywhere is built anew; one with pages of NULs is too, or verifying mends it")
func cutDatabase() throws {
  let folder = try cached(seed: 83)
  let fold = try folder.fold()
  let bytes = try #require(folder.read(path(folder)))
  for length in stride(from: 0, to: bytes.count, by: 4001) {
    folder.write(Array(bytes.prefix(length)), to: try path(folder))
    #expect(try library(folder.folders).agrees(with: fold), "\(length)")
    var holed = bytes
    for index in length..<min(length + 4096, bytes.count) { holed[index] = 0 }
    folder.write(holed, to: try path(folder))
    #expect(try isGotOver(folder, fold), "\(length)")
  }
}

@Test(
  "What is no database of ours, or of another version, is never used",
  arguments: ["empty", "text", "folder", "loop", "dangling", "device", "other version", "other program"])
func foreignCache(what: String) throws {
  let folder = try cached(seed: 86)
  let link = folder.folders.cache + "/" + ReadModel.linkName
  let database = try path(folder)
  switch what {
  case "empty": folder.write([], to: database)
  case "text": folder.write(Array(String(repeating: "no database\n", count: 1000).utf8), to: database)
  case "folder":
    unlink(link)
    mkdir(link, 0o700)
  case "loop":
    unlink(link)
    symlink(ReadModel.linkName, link)
  case "dangling": unlink(folder.path + "/" + database)
  case "device":
    unlink(link)
    symlink("/dev/zero", link)
  default:
    // The version is at byte 60 of the header, the application at byte 68.
    var bytes = try #require(folder.read(database))
    bytes[(what == "other version" ? 60 : 68) + 3] ^= 0x40
    folder.write(bytes, to: database)
  }
  #expect(try library(folder.folders).agrees(with: folder.fold()))
  _ = try library(folder.folders).commit(action: nil, undoing: nil) { [saved(5)] }
  #expect(try library(folder.folders).agrees(with: folder.fold()))
}

@Test("A journal of another database, or of random bytes, does no harm", arguments: [0, 1, 2])
func strangeJournal(kind: Int) throws {
  let folder = try cached(seed: 87)
  var random = SeededGenerator(seed: 87)
  let noise = (0..<9000).map { _ in UInt8.random(in: 0...255, using: &random) }
  // The head of a rollback journal.
  let head: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7, 0, 0, 0, 1]
  folder.write([noise, head + noise, []][kind], to: try path(folder) + "-journal")
  #expect(try isGotOver(folder, folder.fold()))
}

@Test("Without a folder for the cache everything is read from memory")
func noCache() throws {
  let folder = TemporaryFolder()
  folder.write([], to: "cache")
  try append(folder, seed: 88)
  let library = try library(folder.folders)
  #expect(try library.model.storage == .memory && library.agrees(with: folder.fold()))
  _ = try library.commit(action: nil, undoing: nil) { [saved(5)] }
  #expect(try library.agrees(with: folder.fold()))
}

@Test("A cache that goes away under an open library is not missed")
func cacheRemoved() throws {
  let folder = try cached(seed: 89)
  let open = try library(folder.folders)
  for name in folder.names(in: "cache") { unlink(folder.path + "/cache/" + name) }
  rmdir(folder.path + "/cache")
  for number in 0..<3 as Range<UInt64> {
    _ = try open.commit(action: nil, undoing: nil) { [saved(number)] }
    #expect(try open.agrees(with: folder.fold()))
  }
  #expect(try library(folder.folders).agrees(with: folder.fold()))
}

@Test("Leftovers of builds that were killed are removed by the next one")
func leftovers() throws {
  let folder = try cached(seed: 90)
  for name in ["read-v2-aaaa.db", "read-v2-aaaa.db-journal", "read-v2-bbbb.db.link", "read-v1.db"] {
    folder.write(Array("x".utf8), to: "cache/" + name)
  }
  unlink(folder.folders.cache + "/" + ReadModel.linkName)
  _ = try library(folder.folders)
  #expect(folder.names(in: "cache") == [ReadModel.linkName, try #require(folder.database)].sorted())
}
