import Glibc
import TestSupport
import Testing

@testable import EventLog

@Suite("Records that are appended")
struct StateJournalTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/state/journal" }

  private func record(_ number: Int) -> StateRecord { StateRecord([("number", .number(number))]) }

  @Test("are read in order, also by another process, until they are replaced")
  func records() throws {
    #expect(try StateJournal.read(path).isEmpty && StateJournal.isEmpty(path))
    let journal = try StateJournal(path)
    #expect(try StateJournal.isEmpty(path))
    for number in 1...3 { try journal.append(record(number)) }
    #expect(try StateJournal.read(path) == [1, 2, 3].map(record) && !StateJournal.isEmpty(path))
    try journal.replace(with: [record(4)])
    try StateJournal(path).append(record(5))
    #expect(try StateJournal.read(path) == [4, 5].map(record))
    try journal.replace(with: [])
    #expect(try StateJournal.isEmpty(path))
  }

  @Test("are read but for those in a broken line, such as a torn last one")
  func torn() throws {
    let journal = try StateJournal(path)
    for number in 1...3 { try journal.append(record(number)) }
    var bytes = try #require(folder.read("state/journal"))
    bytes.removeLast(4)
    bytes[10] ^= 1
    folder.write(bytes, to: "state/journal")
    #expect(try StateJournal.read(path) == [record(2)])
  }
}
