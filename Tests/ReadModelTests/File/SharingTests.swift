import Core
import Glibc
import SQLDrivers
import SlowFold
import TestSupport
import Testing

@testable import ReadModel

/// Whether the log's end was reached, and what went wrong; shared by threads.
private final class Outcome: @unchecked Sendable {
  // Every member is read and written with the lock held.
  private var lock = pthread_mutex_t()
  private var (isOver, reads, written, refusals, messages) = (false, 0, 0, 0, [String]())

  init() { pthread_mutex_init(&lock, nil) }

  private func locked<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(&lock)
    defer { pthread_mutex_unlock(&lock) }
    return body()
  }

  func finish() { locked { isOver = true } }
  func countRead() { locked { reads += 1 } }
  /// Notes that a writer wrote a batch.
  func countWrite() {
    locked {
      written += 1
      refusals = 0
    }
  }
  /// Notes that a writer gave up waiting for others; returns how often any did since the last batch.
  func countRefusal() -> Int {
    locked {
      refusals += 1
      return refusals
    }
  }
  func report(_ message: String) { locked { messages.append(message) } }
  var hasFinished: Bool { locked { isOver } }
  var result: (reads: Int, messages: [String]) { locked { (reads, messages) } }
}

/// Runs bodies on threads of their own until all return.
private func onThreads(_ bodies: [@Sendable () -> Void]) {
  let threads = bodies.map { body -> pthread_t in
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    precondition(code == 0, "a thread")
    return thread
  }
  for thread in threads { pthread_join(thread, nil) }
}

private final class Box {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// How often two writers may be refused before either writes a batch. Each refusal comes after five seconds of waiting.
private let maxRefusals = 20

/// The videos of the default list.
private let query = VideoQuery(
  statuses: nil, shorts: .show, upcoming: .show, subscriptions: nil, tags: [], since: nil, until: nil,
  order: .published, oldestFirst: false, limit: 50)
private let now = Timestamp(seconds: 2_000_000_000)

/// Applies the next batch after what the tables hold, as every starting program does; false at the end of the log.
private func applyNext(of events: [StoredEvent], to model: ReadModel, batch: Int) throws -> Bool {
  let known = try model.coverage()
  let count = known.map { $0.reduce(0) { $0 << 8 | Int($1) } } ?? 0
  guard count < events.count else { return false }
  let next = min(count + batch, events.count)
  _ = try model.update(from: known) { (apply: (Event, Int, UInt64) throws(DatabaseError) -> Void) in
    for stored in events[count..<next] { try apply(stored.event, stored.file, stored.line) }
    return [UInt8(next >> 16 & 255), UInt8(next >> 8 & 255), UInt8(next & 255)]
  }
  return true
}

@Suite("One file, several connections", .onSQLiteAlone("the file is SQLite's"))
struct SharingTests {
  @Test("Two writers and five readers at once: writers go on, every read is of one moment, nothing is lost or twice")
  func writersAndReaders() throws {
    let folder = TemporaryFolder()
    var maker = EventMaker(seed: 12, pieces: ["a", "b"], videos: 400)
    let events = StoredEvent.all(maker.events(2500))
    _ = try ReadModel.build(in: folder.path, user: 0, foldedText: { _ in [] }) {
      (apply: (Event, Int, UInt64) throws(DatabaseError) -> Void) in
      for stored in events.prefix(100) { try apply(stored.event, stored.file, stored.line) }
      return [0, 0, 100]
    }
    let (outcome, path) = (Outcome(), folder.path)
    let write: @Sendable () -> Void = {
      do {
        let model = try #require(ReadModel(in: path, user: 0))
        var isOver = false
        while !isOver {
          do {
            isOver = try !applyNext(of: events, to: model, batch: 20)
            outcome.countWrite()
          } catch DatabaseError.busy {
            // Nothing was written. On a busy machine readers may keep their locks for as long as a batch waits, but not
            // again and again while no writer writes.
            guard outcome.countRefusal() < maxRefusals else { throw DatabaseError.busy }
          }
        }
      } catch { outcome.report("write: \(error)") }
      outcome.finish()
    }
    let read: @Sendable () -> Void = {
      do {
        let model = try #require(ReadModel(in: path, user: 0))
        while !outcome.hasFinished {
          var all = query
          all.limit = 0
          let (page, whole) = (try model.select(query, at: now), try model.select(all, at: now))
          // The counts are of tables that each batch changes together.
          if page.ids.count != min(page.matching, 50) { outcome.report("\(page.matching) for \(page.ids.count)") }
          if whole.matching != whole.ids.count { outcome.report("\(whole.matching) for \(whole.ids.count)") }
          outcome.countRead()
          usleep(500)
        }
      } catch { outcome.report("read: \(error)") }
    }
    onThreads([write, write] + Array(repeating: read, count: 5))
    #expect(outcome.result.messages == [])
    #expect(outcome.result.reads > 5)
    let model = try #require(ReadModel(in: path, user: 0))
    #expect(try difference(model.dump(), ReadModel.built(events).dump()) == [])
  }

  @Test("A file built anew meanwhile: who has the old one open reads on, who opens now has the new one")
  func builtAnew() throws {
    let folder = TemporaryFolder()
    var maker = EventMaker(seed: 13)
    let events = StoredEvent.all(maker.events(200))
    let old = try ReadModel.built(events.prefix(100), in: folder.path)
    let before = try old.dump()
    let new = try ReadModel.built(events, in: folder.path)
    #expect(try difference(old.dump(), before) == [])
    // SQLite notices that its file is gone: what was written there would never be read.
    #expect(throws: DatabaseError.self) { try old.add(events[100...]) }
    try old.moveToMemory()
    try old.add(events[100...])
    #expect(try difference(old.dump(), new.dump()) == [])
    #expect(folder.names().count == 2)
    let opened = try #require(ReadModel(in: folder.path, user: 0))
    #expect(opened.storage == .file)
    #expect(try difference(opened.dump(), new.dump()) == [])
  }

  @Test("An update from a coverage that another connection moved on does nothing")
  func movedOn() throws {
    let folder = TemporaryFolder()
    var maker = EventMaker(seed: 14)
    let events = StoredEvent.all(maker.events(100))
    let one = try ReadModel.built(events.prefix(50), in: folder.path)
    let other = try #require(ReadModel(in: folder.path, user: 0))
    let known = try one.coverage()
    try other.add(events[50...])
    let isApplied = try one.update(from: known) { (_: (Event, Int, UInt64) throws(DatabaseError) -> Void) in [9] }
    #expect(!isApplied)
    #expect(try one.coverage() == other.coverage())
  }
}
