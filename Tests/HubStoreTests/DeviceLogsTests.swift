import Core
import EventLog
import HubStore
import Library
import ReadModel
import SQLDrivers
import SlowFold
import TestSupport
import Testing

/// Logs are exchanged with PostgreSQL as they are with files.
@Suite(.enabled(if: TestServer.address != nil, "METUBE_RSS_TEST_POSTGRES is not set"))
struct DeviceLogsTests {
  private let hub: HubDatabase
  private let logs: PostgresDeviceLogs
  private let folder = TemporaryFolder()
  private static let now: UInt64 = 1_800_000_000_000
  private let device = DeviceID("bbbbbbbb") ?? Sample.device

  init() throws {
    hub = try HubDatabase(.postgres)
    _ = try hub.accounts().addUser("ann", hash: "", now: 0)
    let owner = try PostgresLibrary(try hub.connect(), of: "ann") { DeviceLogsTests.now }.owner
    logs = PostgresDeviceLogs(try hub.connect(), owner: owner, temporary: folder.path) { DeviceLogsTests.now }
  }

  /// A journal of files with some random events.
  private func journal(_ folder: TemporaryFolder, seed: UInt64, count: Int) throws -> Journal {
    let journal = try Journal(folders: folder.folders, device: device, coverage: nil, clock: { Self.now })
    journal.digest = { _ in 0 }
    try journal.refresh()
    var maker = EventMaker(seed: seed)
    for _ in 0..<count / 10 {
      let bodies = maker.events(10).map(\.body)
      _ = try journal.commit(action: nil, undoing: nil) { bodies }
    }
    try journal.refresh()
    return journal
  }

  private func bytes(_ folder: TemporaryFolder) throws -> [UInt8] { try #require(folder.read("log/\(device).jsonl")) }

  /// Sends a whole log in parts of some lines; returns what became of it.
  private func stage(_ bytes: [UInt8], _ end: LogEnd, lines: Int = 40) throws -> StagedPart? {
    var (part, start, result) = (0, 0, StagedPart?.none)
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      part += 1
      guard part == lines || index == bytes.count - 1 else { continue }
      result = try logs.stage(Array(bytes[start...index]), at: UInt64(start), of: device, whole: end)
      (part, start) = (0, index + 1)
    }
    return result
  }

  @Test("a log reaches as far, looks the same and is read in the same parts as its file")
  func reading() throws {
    let journal = try journal(folder, seed: 3, count: 400)
    let (name, all) = ("\(device)", try bytes(folder))
    var (start, part) = (0, 0)
    for (index, byte) in all.enumerated() where byte == UInt8(ascii: "\n") {
      part += 1
      guard part % 23 == 0 || index == all.count - 1 else { continue }
      let end = try #require(try start == 0 ? LogEnd.start : journal.end(of: name, at: UInt64(start)))
      #expect(try logs.extend(name, of: device, at: end, with: Array(all[start...index])))
      start = index + 1
    }
    #expect(try logs.marks() == journal.marks())
    #expect(try logs.storedBytes == UInt64(all.count))
    for (index, byte) in all.enumerated() where byte == UInt8(ascii: "\n") || index % 97 == 0 {
      let end = try #require(try journal.end(of: name, at: UInt64(index + 1)))
      #expect(try logs.hasEnd(end, in: name) == journal.hasEnd(end, in: name), "\(index)")
    }
    let ends = [0] + all.indices.filter { all[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    for (index, maximum) in [(0, 1 << 20), (0, 1), (1, 700), (5, 5000), (200, 1 << 14), (ends.count - 1, 10)] {
      let offset = UInt64(ends[index])
      #expect(
        try logs.lines(of: name, from: offset, maximum: maximum)
          == journal.lines(of: name, from: offset, maximum: maximum))
    }
    #expect(try logs.lines(of: "cccccccc", from: 0, maximum: 10) == nil)
  }

  @Test("lines are taken only where the log ends, and twice without effect")
  func extending() throws {
    let journal = try journal(folder, seed: 4, count: 20)
    let (name, all) = ("\(device)", try bytes(folder))
    let line = try #require(all.firstIndex(of: UInt8(ascii: "\n"))) + 1
    let end = try #require(try journal.end(of: name, at: UInt64(line)))
    #expect(try !logs.extend(name, of: device, at: end, with: Array(all[line...])))
    #expect(try logs.extend(name, of: device, at: .start, with: Array(all[..<line])))
    #expect(try logs.extend(name, of: device, at: end, with: Array(all[line...])))
    #expect(try logs.extend(name, of: device, at: end, with: Array(all[line...])))
    #expect(try !logs.extend(name, of: device, at: end, with: Array(all[..<line])))
    let wrong = LogEnd(length: UInt64(all.count), checksum: String(repeating: "0", count: 32))
    #expect(try !logs.extend(name, of: device, at: wrong, with: Array(all[..<line])))
    #expect(try logs.marks() == journal.marks())
  }

  @Test("a whole log that was compacted replaces ours, one that differs is kept beside it, an older one is nothing new")
  func merging() throws {
    let journal = try journal(folder, seed: 5, count: 300)
    let old = try bytes(folder)
    #expect(try logs.extend("\(device)", of: device, at: .start, with: old))
    _ = try journal.compact()
    let mark = try #require(try self.journal(folder, seed: 0, count: 0).marks().first)
    #expect(mark.generation == 2)
    let staged = try stage(try bytes(folder), mark.end)
    guard case .merged(let report)? = staged, case .replaced = report.outcome else {
      Issue.record("the compacted log did not replace the old one: \(String(describing: staged))")
      return
    }
    #expect(try logs.marks() == [mark])
    #expect(try logs.lines(of: "\(device)", from: 0, maximum: 1 << 30) == bytes(folder))
    #expect(try logs.stagedBytes == 0)

    let other = TemporaryFolder()
    let forked = try #require(try self.journal(other, seed: 6, count: 50).marks().first)
    guard case .merged(let fork)? = try stage(try bytes(other), forked.end), case .forkKept = fork.outcome else {
      Issue.record("the other history was not kept")
      return
    }
    #expect(try logs.marks().map(\.end).contains(forked.end) && logs.marks().contains(mark))
    guard case .merged(let again)? = try stage(try bytes(folder), mark.end) else { return }
    #expect(again.outcome == .nothingNew)
  }

  @Test("parts are taken in order, and not what was not announced")
  func staging() throws {
    let mark = try #require(try journal(folder, seed: 7, count: 60).marks().first)
    let all = try bytes(folder)
    let half = try #require(all[(all.count / 2)...].firstIndex(of: UInt8(ascii: "\n"))) + 1
    guard
      case .waiting(0, isTaken: false) = try logs.stage(
        Array(all[half...]), at: UInt64(half), of: device, whole: mark.end),
      case .waiting(UInt64(half), isTaken: true) = try logs.stage(
        Array(all[..<half]), at: 0, of: device, whole: mark.end),
      case .waiting(UInt64(half), isTaken: false) = try logs.stage(
        Array(all[..<half]), at: 0, of: device, whole: mark.end)
    else {
      Issue.record("parts were taken out of order")
      return
    }
    #expect(try logs.stagedBytes == UInt64(half))
    let wrong = LogEnd(length: mark.end.length, checksum: String(repeating: "a", count: 32))
    guard case .different? = try stage(all, wrong) else {
      Issue.record("a log that was not announced was merged")
      return
    }
    #expect(try logs.marks().isEmpty && logs.stagedBytes == 0)
  }

  @Test("accounts survive a move to PostgreSQL and back")
  func accounts() throws {
    let file = try Accounts(folder: folder.path)
    _ = try file.addUser("bob", hash: "h", now: 5)
    let token = try file.addToken(of: "bob", name: "reader", scope: .read, now: 6)
    let other = try HubDatabase(.postgres)
    let server = try other.accounts()
    #expect(try file.copy(into: server) == 1)
    #expect(try server.users() == file.users() && server.tokens(of: nil) == file.tokens(of: nil))
    #expect(try server.addToken(of: "bob", name: "later", scope: .read, now: 7).id > token.id)
    let back = try Accounts(folder: folder.path + "/back")
    _ = try server.copy(into: back)
    #expect(try back.tokens(of: nil) == server.tokens(of: nil) && back.users() == server.users())
  }

  @Test("devices get what the user sees of the catalogue, also of what is followed later, as logs that only grow")
  func catalogue() throws {
    let catalogue = try PostgresLibrary(try hub.connect(), of: nil) { Self.now }
    let ann = try PostgresLibrary(try hub.connect(), of: "ann") { Self.now }
    let logs = ann.deviceLogs(temporary: folder.path)
    func follow(_ number: UInt64) throws {
      _ = try ann.commit(action: nil, undoing: nil) {
        [.channelFollowed(ChannelFollowed(subscription: .channel(Sample.channel(number)), title: nil, tags: nil))]
      }
    }
    func find(_ video: UInt64, of channel: UInt64) throws {
      _ = try catalogue.commit(action: nil, undoing: nil) { [Sample.found(video, of: channel)] }
    }
    /// The videos in the copy.
    func copied() throws -> [VideoID] {
      try ann.copyCatalogue()
      let log = try #require(catalogue.device).description
      let lines = try #require(try logs.lines(of: log, from: 0, maximum: 1 << 20))
      try ForeignLines.check(lines, of: #require(catalogue.device), isBeginning: true, now: Self.now)
      var reader = EventLineReader()
      return lines.split(separator: UInt8(ascii: "\n")).compactMap { line in
        reader.event(of: Array(line) + [UInt8(ascii: "\n")], log: 0, start: 0)?.body.video
      }
    }
    try find(1, of: 1)
    try find(2, of: 2)
    try follow(1)
    #expect(try copied() == [Sample.video(1)])
    let end = try #require(try logs.marks().first { $0.device == catalogue.device }).end
    try find(3, of: 1)
    try find(4, of: 2)
    #expect(try copied() == [1, 3].map { Sample.video($0) })
    try follow(2)
    #expect(try copied() == [1, 3, 2, 4].map { Sample.video($0) })
    #expect(try logs.hasEnd(end, in: #require(catalogue.device).description))
    let mark = try #require(try logs.marks().first { $0.device == catalogue.device })
    #expect(try !logs.extend(mark.log, of: mark.device, at: mark.end, with: []))
  }

  @Test("the catalogue is copied in parts, one statement each; what was interrupted goes on where it ended")
  func copyInParts() throws {
    let catalogue = try PostgresLibrary(try hub.connect(), of: nil) { Self.now }
    let writer = try #require(catalogue.device).description
    func library(of user: String) throws -> PostgresLibrary {
      let library = try PostgresLibrary(try hub.connect(), of: user) { Self.now }
      _ = try library.commit(action: nil, undoing: nil) { [Self.followed(1)] }
      return library
    }
    for part in 0..<25 as Range<UInt64> {
      _ = try catalogue.commit(action: nil, undoing: nil) {
        // Of some the playlist is not shown, so that their lines are written anew.
        (part * 100..<part * 100 + 100).map { Sample.found($0, playlist: $0 % 3 == 0 ? PlaylistID("PLabc") : nil) }
      }
    }
    _ = try catalogue.commit(action: nil, undoing: nil) { [Sample.found(9000, of: 2)] }
    let (ann, database) = (try library(of: "ann"), try hub.connect())
    func copied() throws -> Int64? {
      try database.integer("SELECT count(*) FROM device_line WHERE owner = ? AND start > 0", ann.owner)
    }
    // Ended before it begins, so that each copies one part.
    let interruption = Interruption()
    interruption.set()
    func copy() throws { try Interruption.$current.withValue(interruption) { try ann.copyCatalogue() } }
    for end in [1000, 2000] as [Int64] {
      #expect(throws: DatabaseError.interrupted) { try copy() }
      #expect(try copied() == end)
    }
    let begun = try #require(
      try ann.deviceLogs(temporary: folder.path).lines(of: writer, from: 0, maximum: 10 << 20))
    try copy()
    #expect(try copied() == 2500)
    // The first line of the log, and three parts.
    #expect(
      try database.integer(
        "SELECT count(DISTINCT (xmin::text, cmin::text)) FROM device_line WHERE owner = ?", ann.owner) == 4)
    // A copy of all at once has the same.
    _ = try hub.accounts().addUser("bob", hash: "", now: 0)
    let bob = try library(of: "bob")
    try bob.copyCatalogue()
    func lines(_ library: PostgresLibrary) throws -> [UInt8]? {
      try library.deviceLogs(temporary: folder.path).lines(of: writer, from: 0, maximum: 10 << 20)
    }
    #expect(try lines(ann) == lines(bob))
    #expect(try #require(try lines(ann)).starts(with: begun))
    // What is followed later is looked for from the beginning, and nothing is copied twice.
    _ = try ann.commit(action: nil, undoing: nil) { [Self.followed(2)] }
    try copy()
    #expect(try copied() == 2501)
    #expect(try #require(try lines(ann)).starts(with: #require(try lines(bob))))
  }

  private static func followed(_ number: UInt64) -> EventBody {
    .channelFollowed(ChannelFollowed(subscription: .channel(Sample.channel(number)), title: nil, tags: nil))
  }

  @Test("what a restored catalogue lacks comes back from a device for its user alone, and nothing twice")
  func returned() throws {
    let catalogue = try PostgresLibrary(try hub.connect(), of: nil) { Self.now }
    let ann = try PostgresLibrary(try hub.connect(), of: "ann") { Self.now }
    _ = try ann.commit(action: nil, undoing: nil) {
      [.channelFollowed(ChannelFollowed(subscription: .channel(Sample.channel(1)), title: nil, tags: nil))]
    }
    _ = try catalogue.commit(action: nil, undoing: nil) { [Sample.found(1), Sample.found(2)] }
    let writer = try #require(catalogue.device)
    let annLogs = ann.deviceLogs(temporary: folder.path)
    try ann.copyCatalogue()
    // A device has what the backup lacks.
    folder.write(try #require(try annLogs.lines(of: "\(writer)", from: 0, maximum: 1 << 20)), to: "log/\(writer).jsonl")
    let device = try Journal(folders: folder.folders, device: writer, coverage: nil, clock: { Self.now + 1000 })
    device.digest = { _ in 0 }
    try device.refresh()
    _ = try device.commit(action: nil, undoing: nil) { [Sample.found(3), Sample.found(4)] }
    let all = try #require(folder.read("log/\(writer).jsonl"))
    let end = try #require(try device.marks().first).end
    guard
      case .merged(let report) = try annLogs.stage(all, at: 0, of: writer, whole: end, taking: .lacking),
      case .forkKept(let name) = report.outcome
    else {
      Issue.record("nothing came back")
      return
    }
    let kept = try #require(try annLogs.lines(of: name, from: 0, maximum: 1 << 20))
    #expect(kept.count { $0 == UInt8(ascii: "\n") } == 3, "the first line and the two that are lacking")
    func videos(_ library: PostgresLibrary) throws -> Int {
      try library.refresh()
      return try library.model.videoCount()
    }
    #expect(try videos(ann) == 4)
    #expect(try videos(catalogue) == 2)
    guard case .merged(let again) = try annLogs.stage(all, at: 0, of: writer, whole: end, taking: .lacking) else {
      return
    }
    #expect(again.outcome == .nothingNew)
    let accounts = try hub.accounts()
    #expect(try accounts.isOfCatalogue("\(writer)", notOf: "ann") && !accounts.isOfCatalogue("cccccccc", notOf: "ann"))
  }
}
