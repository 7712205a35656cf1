import Glibc
import ReadModel
import SQLDrivers
import TestSupport
import Testing

@testable import HubStore

/// In a file, or with a server for tests in a database.
@Suite("Numbers")
struct NumberStoreTests {
  private let folder = TemporaryFolder()
  private let sandbox: Sandbox
  /// A day in 2026.
  private static let day: Int64 = 1_790_000_000

  init() throws {
    sandbox = try Sandbox()
    try sandbox.useDatabase()
    if sandbox.schema != nil { try sandbox.addUser("ann") }
  }

  private func store(at time: Int64 = day, in name: String = "state") throws -> NumberStore {
    guard let schema = sandbox.schema else { return try NumberStore(folder: folder.path + "/" + name) { time } }
    let database = try schema.connect()
    let owner = try #require(try database.integer("SELECT n FROM owner WHERE name = 'ann'"))
    return NumberStore(database, owner: owner) { time }
  }

  @Test("Numbers rise in the order given, one sequence for every kind, and stay")
  func order() throws {
    let store = try store()
    let first = try store.numbers(.video, ["b", "a", "b"])
    #expect(first[1] == first[0] + 1 && first[2] == first[0])
    #expect(try store.numbers(.tag, ["a"]) == [first[1] + 1])
    #expect(try store.numbers(.video, ["c", "a"]) == [first[1] + 2, first[1]])
    #expect(try store.keys(.video, [first[0]]) == ["b"] && store.keys(.tag, [first[0]]) == [nil])
    #expect(
      try self.store(at: 0).numbers(.video, ["a", "d"]) == [first[1], first[1] + 3], "a clock that was set back")
  }

  @Test(
    "Numbers are positive and below 2^31 whatever the clock says",
    arguments: [Int64.min / 2, 0, 4_000_000_000, .max / 2] as [Int64])
  func range(time: Int64) throws {
    let numbers = try store(at: time).numbers(.video, ["a", "b"])
    #expect(numbers.allSatisfy { (1..<1 << 31).contains($0) } && numbers[0] < 1 << 30)
  }

  @Test("An older copy of the file goes on beyond what was given since", .ofFiles)
  func olderCopy() throws {
    _ = try store().numbers(.video, ["a"])
    _ = try Program(path: "/bin/cp", environment: [:]).run(["-r", folder.path + "/state", folder.path + "/copy"])
    let since = try store().numbers(.video, (0..<100).map { "since \($0)" })
    let later = try store(at: NumberStoreTests.day + 101, in: "copy").numbers(.video, ["a", "new"])
    #expect(later[1] > since[99] && later[0] < since[0])
  }

  @Test("A backup's copy goes on 2^20 further, once, also in the same second", .ofFiles)
  func backup() throws {
    let first = try store().numbers(.video, ["a"])
    mkdir(folder.path + "/copy", 0o700)
    try NumberStore.copy(in: folder.path + "/state", to: folder.path + "/copy/numbers.db")
    let since = try store().numbers(.video, (0..<1000).map { "since \($0)" })
    let copy = try store(in: "copy")
    #expect(try copy.numbers(.video, ["a"]) == first)
    let new = try copy.numbers(.video, ["new"])[0]
    #expect(new > since[999] && new > 1 << 20 && new <= since[999] + 1 << 20)
    #expect(try store(in: "copy").numbers(.video, ["next"]) == [new + 1])
  }

  @Test("How far the videos of some tables are numbered is remembered, for the latest tables", .ofFiles)
  func rows() throws {
    let store = try store()
    #expect(try store.row(in: "read-a.db") == 0)
    try store.set(row: 7, in: "read-a.db")
    #expect(try self.store().row(in: "read-a.db") == 7 && store.row(in: "read-b.db") == 0)
    try store.set(row: 3, in: "read-b.db")
    #expect(try store.row(in: "read-a.db") == 0 && store.row(in: "read-b.db") == 3)
  }

  @Test("A number goes with a name that changes; the number of the name that gives way belongs to nothing")
  func moved() throws {
    let store = try store()
    let numbers = try store.numbers(.tag, ["a", "b", "c"])
    try store.move(.tag, from: "a", to: "new")
    try store.move(.tag, from: "new", to: "new")
    #expect(try store.keys(.tag, numbers) == ["new", "b", "c"])
    try store.move(.tag, from: "new", to: "b")
    try store.move(.tag, from: "c", to: nil)
    try store.move(.tag, from: "unknown", to: "b")
    #expect(try store.keys(.tag, numbers) == ["b", nil, nil])
    #expect(try store.numbers(.tag, ["b"]) == [numbers[0]] && store.numbers(.tag, ["c"])[0] > numbers[2])
  }

  @Test("What has no number inherits that of another name, once")
  func inherited() throws {
    let store = try store()
    let numbers = try store.numbers(.channel, ["@a", "@b", "B"])
    try store.inherit(.channel, [("@a", "A"), ("@b", "B"), ("@c", "C"), ("@a", "D")])
    #expect(try store.keys(.channel, numbers) == ["A", "@b", "B"])
    #expect(try store.numbers(.channel, ["A", "C"]) == [numbers[0], numbers[2] + 1])
  }

  @Test("Several at once give each number once")
  func atOnce() throws {
    let stores = try (0..<4).map { _ in try store() }
    var numbers: Set<Int> = []
    for round in 0..<50 {
      for (index, store) in stores.enumerated() { numbers.formUnion(try store.numbers(.video, ["\(round) \(index)"])) }
    }
    #expect(numbers.count == 200)
  }
}
