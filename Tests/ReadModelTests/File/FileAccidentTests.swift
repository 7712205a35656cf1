import Core
import Glibc
import SQLDrivers
import Seeded
import SlowFold
import TestSupport
import Testing

@testable import ReadModel

/// Events about enough videos that every table has pages of its own.
private func filling(_ seed: UInt64, _ count: Int = 900) -> [StoredEvent] {
  var maker = EventMaker(seed: seed, pieces: ["a", "Plain words", "é", "🎉"], videos: 250)
  return StoredEvent.all(maker.events(count)).map { stored in
    // Texts stand in the log, not in the database.
    var stored = stored
    if case .videoFound(var found) = stored.event.body {
      found.description = nil
      stored.event.body = .videoFound(found)
    }
    if case .videoChanged(var change) = stored.event.body {
      change.description = nil
      stored.event.body = .videoChanged(change)
    }
    return stored
  }
}

private let now = Timestamp(seconds: 2_000_000_000)

/// Everything that is read of a model, in one value.
private struct Reading: Equatable {
  var selections: [VideoSelection] = []
  var state: State
  var videos: [VideoID: Video] = [:]

  init(_ model: ReadModel) throws {
    for arrangement in [VideoQuery.Arrangement.byTime, .catchUp, .mix] {
      for (statuses, limit) in [(Set([Status.new]), 20), (nil, 0)] {
        var query = VideoQuery(
          statuses: statuses, shorts: nil, upcoming: nil, subscriptions: nil, tags: [], since: nil, until: nil,
          order: .published, oldestFirst: false, limit: limit)
        query.arrangement = arrangement
        selections.append(try model.select(query, at: now))
      }
    }
    state = try model.state()
    for number in 0..<250 as Range<UInt64> { videos[VideoID(bits: number)] = try model.video(VideoID(bits: number)) }
  }
}

/// A folder with the database of some events, and the name of the file.
private struct BuiltFolder {
  let folder = TemporaryFolder()
  let events: [StoredEvent]
  let wanted: Reading
  let name: String
  let bytes: [UInt8]

  init(_ seed: UInt64) throws {
    events = filling(seed)
    wanted = try Reading(.built(events, in: folder.path))
    name = try #require(folder.names().first { $0.hasSuffix(".db") && $0 != ReadModel.linkName })
    bytes = try #require(folder.read(name))
  }

  /// What is read with these bytes in place of the database; nil if they are refused.
  func reading(_ bytes: [UInt8], rebuilding: Bool) throws -> Reading? {
    folder.write(bytes, to: name)
    guard let model = ReadModel(in: folder.path, user: 0) else { return nil }
    if rebuilding {
      model.rebuild = { [weak model] in
        guard let other = try? ReadModel.built(self.events) else { return false }
        model?.replace(by: other)
        return true
      }
    }
    do { return try Reading(model) } catch let error as DatabaseError {
      guard case .damaged = error else { throw error }
      return nil
    }
  }
}

@Suite("Accidents of the database's file", .onSQLiteAlone("the file is SQLite's"))
struct FileAccidentTests {
  @Test(
    "A page overwritten by noise or zeros is refused or built anew, or nothing of it is read", arguments: [true, false])
  func pages(isNoise: Bool) throws {
    let built = try BuiltFolder(3)
    var random = SeededGenerator(seed: 3)
    var refused = 0
    for start in stride(from: 0, to: built.bytes.count, by: 4096) {
      var bytes = built.bytes
      for index in start..<min(start + 4096, bytes.count) {
        bytes[index] = isNoise ? .random(in: 0...255, using: &random) : 0
      }
      let reading = try built.reading(bytes, rebuilding: false)
      if reading == nil { refused += 1 }
      #expect(reading == nil || reading == built.wanted, "page \(start / 4096)")
      let again = try built.reading(bytes, rebuilding: true)
      if again == nil { #expect(ReadModel(in: built.folder.path, user: 0) == nil, "page \(start / 4096)") }
      #expect(again == nil || again == built.wanted, "page \(start / 4096), built anew")
    }
    #expect(refused > 5)
  }

  @Test("Single bytes overwritten end nothing")
  func bytes() throws {
    let built = try BuiltFolder(4)
    var random = SeededGenerator(seed: 4)
    for _ in 0..<(GeneratedModel.isLarge ? 3000 : 60) {
      var bytes = built.bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[.random(in: 100..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      // No checksum guards against a wrong value; against the end of the process there must be a guard.
      _ = try built.reading(bytes, rebuilding: false)
      if let model = ReadModel(in: built.folder.path, user: 0) {
        do { try model.add(filling(5, 30)) } catch let error as DatabaseError {
          guard case .damaged = error else { throw error }
        }
      }
    }
  }

  @Test(
    "A file cut short is refused, or nothing of the rest is read",
    arguments: [0, 1, 16, 99, 100, 512, 4096, 8192, 20_000])
  func truncated(count: Int) throws {
    let built = try BuiltFolder(6)
    let reading = try built.reading(Array(built.bytes.prefix(count)), rebuilding: false)
    #expect(reading == nil)
  }

  @Test("What is no database of this version is not opened")
  func foreign() throws {
    let folder = TemporaryFolder()
    #expect(ReadModel(in: folder.path, user: 0) == nil)
    #expect(ReadModel(in: "/proc/none", user: 0) == nil)
    for bytes in [[], Array("SQLite format 3\0".utf8), [UInt8](repeating: 7, count: 9000)] {
      folder.write(bytes, to: ReadModel.linkName)
      #expect(ReadModel(in: folder.path, user: 0) == nil)
    }
    unlink(folder.path + "/" + ReadModel.linkName)
    let other = try Database(folder.path + "/" + ReadModel.linkName, .readWrite)
    try other.execute(.sqlite("CREATE TABLE video(id)"))
    #expect(ReadModel(in: folder.path, user: 0) == nil)
    try other.execute(
      .sqlite(
        """
        PRAGMA application_id = \(number: Schema.applicationID); PRAGMA user_version = \(number: Schema.version)
        """))
    #expect(ReadModel(in: folder.path, user: 0) == nil)
  }

  @Test("An older version, and one never filled, are not opened")
  func older() throws {
    let folder = TemporaryFolder()
    _ = try ReadModel.built(filling(1), in: folder.path)
    let database = try Database(folder.path + "/" + ReadModel.linkName, .readWrite)
    try database.execute(.sqlite("PRAGMA user_version = \(number: Schema.version - 1)"))
    #expect(ReadModel(in: folder.path, user: 0) == nil)
    try database.execute(.sqlite("PRAGMA user_version = \(number: Schema.version); DELETE FROM meta"))
    #expect(ReadModel(in: folder.path, user: 0) == nil)
  }

  @Test("A full disk leaves the file as it was, and the tables go on in memory")
  func full() throws {
    let folder = TemporaryFolder()
    let (events, more) = (filling(7), StoredEvent.all(filling(8, 3000).map(\.event)))
    let model = try ReadModel.built(events, in: folder.path)
    let before = try model.dump()
    let pages = try #require(try model.database.integer(.sqlite("PRAGMA page_count")))
    try model.database.execute(.sqlite("PRAGMA max_page_count = \(number: pages)"))
    #expect {
      try model.add(more)
    } throws: { error in
      if case .notWritable? = error as? DatabaseError { true } else { false }
    }
    #expect(try difference(model.dump(), before) == [])
    try model.moveToMemory()
    #expect(model.storage == .memory)
    try model.add(more)
    #expect(try difference(model.dump(), ReadModel.built(events + more).dump()) == [])
    let reopened = try #require(ReadModel(in: folder.path, user: 0))
    #expect(try difference(reopened.dump(), before) == [])
  }

  @Test(
    "Where no file can be made, the tables are in memory", arguments: ["/proc/none", "/dev/null", "/dev/null/cache"])
  func noFolder(path: String) throws {
    let model = try ReadModel.built(filling(9), in: path)
    #expect(model.storage == .memory)
    #expect(try Reading(model) == Reading(.built(filling(9))))
  }

  @Test("A folder that cannot be written is read", .enabled(if: geteuid() != 0))
  func readOnly() throws {
    let folder = TemporaryFolder()
    let dump = try ReadModel.built(filling(10), in: folder.path).dump()
    chmod(folder.path, 0o500)
    let model = try #require(ReadModel(in: folder.path, user: 0))
    #expect(model.storage == .readOnlyFile)
    #expect(try model.dump() == dump)
    #expect(throws: DatabaseError.self) { try model.add(filling(11)) }
    try model.moveToMemory()
    try model.add(filling(11))
    #expect(try ReadModel.built(filling(12), in: folder.path).storage == .memory)
  }

  @Test("An error of the reader of the log leaves nothing behind")
  func failedBuild() throws {
    struct Interrupted: Error {}
    let folder = TemporaryFolder()
    #expect(throws: Interrupted.self) {
      try ReadModel.build(in: folder.path, user: 0, foldedText: { _ in [] }) {
        (apply: (Event, Int, UInt64) throws(DatabaseError) -> Void) in
        for stored in filling(1).prefix(100) { try apply(stored.event, stored.file, stored.line) }
        throw Interrupted()
      }
    }
    #expect(folder.names() == [])
  }
}
