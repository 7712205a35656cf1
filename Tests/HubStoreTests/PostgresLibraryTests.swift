import Core
import EventLog
import HubStore
import Library
import ReadModel
import SQLDrivers
import TestSupport
import Testing

/// The library in PostgreSQL makes the same promises as the journal of files.
@Suite(.enabled(if: TestServer.address != nil, "METUBE_RSS_TEST_POSTGRES is not set"))
struct PostgresLibraryTests {
  private let hub: HubDatabase
  private let database: Database

  init() throws {
    hub = try HubDatabase(.postgres)
    database = try hub.connect()
    for user in ["ann", "bob"] { _ = try hub.accounts().addUser(user, hash: "", now: 0) }
  }

  private func log(of user: String?, at milliseconds: UInt64 = 1_800_000_000_000) throws -> PostgresLibrary {
    try PostgresLibrary(try hub.connect(), of: user) { milliseconds }
  }

  private func save(_ number: UInt64) -> EventBody { .savedSet(SavedSet(video: Sample.video(number), saved: true)) }

  private func commit(_ bodies: [EventBody], to log: PostgresLibrary) throws -> [Event] {
    try log.commit(action: nil, undoing: nil) { bodies }
  }

  private let follow = EventBody.channelFollowed(
    ChannelFollowed(subscription: .channel(Sample.channel(1)), title: nil, tags: nil))

  /// All events of a log after a position, read in parts.
  private func events(_ log: PostgresLibrary, after position: String, maximum: Int = 7) throws -> [Event] {
    try log.refresh()
    var (events, position) = ([Event](), position)
    while true {
      let read = try #require(try log.events(after: position, maximum: maximum))
      events += read.events
      if read.position == position { return events }
      position = read.position
    }
  }

  @Test("events come back as they were appended, also the catalogue's, and no other user's")
  func appending() throws {
    let (ann, bob, catalogue) = (try log(of: "ann"), try log(of: "bob"), try log(of: nil))
    _ = try commit([follow], to: ann)
    let start = ann.position
    let found = try commit([Sample.found(1), Sample.found(2, of: 2)], to: catalogue)
    let saved = try commit([save(1), save(2)], to: ann)
    _ = try commit([save(3)], to: bob)
    #expect(saved.map(\.action) == [saved[0].id, saved[0].id])
    let read = try events(ann, after: start)
    #expect(read.map(\.id) == (found.prefix(1) + saved).map(\.id))
    #expect(read.map(\.body.video) == [1, 1, 2].map { Sample.video($0) })
    #expect(Array(read.dropFirst()) == saved)
    #expect(try events(ann, after: ann.position).isEmpty)
    #expect(try commit([], to: ann).isEmpty)
  }

  @Test("who decides while another one decides waits, and decides by what that one appended")
  func decidingAtOnce() async throws {
    let connection = try hub.connect()
    let process = try #require(try connection.integer("SELECT pg_backend_pid()"))
    let ann = try PostgresLibrary(connection, of: "ann") { 1_800_000_000_000 }
    let other = Alone(try log(of: "ann"))
    let start = ann.position
    var waiting: Task<[Event], any Error>?
    let first = try ann.commit(action: nil, undoing: nil) {
      waiting = Task.detached {
        try other.store.commit(action: nil, undoing: nil) {
          let known = try other.store.events(after: start, maximum: 10)?.events.count
          return [.savedSet(SavedSet(video: Sample.video(UInt64(known ?? 0)), saved: true))]
        }
      }
      try wait {
        try database.integer(
          "SELECT count(*) FROM pg_stat_activity WHERE ?::integer = ANY (pg_blocking_pids(pid))", process) == 1
      }
      return [save(0), save(0)]
    }
    let second = try #require(try await waiting?.value)
    #expect(second.map(\.body.video) == [Sample.video(2)])
    #expect(try events(ann, after: start) == first + second)
    #expect(first[1].id < second[0].id)
  }

  private struct Refusal: Error {}

  @Test("what fails while deciding or folding leaves nothing behind")
  func failing() throws {
    let (ann, catalogue) = (try log(of: "ann"), try log(of: nil))
    _ = try commit([follow], to: ann)
    let start = ann.position
    #expect(throws: Refusal.self) {
      try ann.commit(action: nil, undoing: nil) { throw Refusal() }
    }
    let (before, digest) = (catalogue.position, try catalogue.model.digest())
    let folded = catalogue.model.foldedText
    catalogue.model.foldedText = { _ in throw Refusal() }
    #expect(throws: Refusal.self) { try commit([Sample.found(1)], to: catalogue) }
    catalogue.model.foldedText = folded
    #expect(catalogue.position == before)
    #expect(try catalogue.model.digest() == digest)
    #expect(try events(catalogue, after: before).isEmpty)
    let events = try commit([save(2)], to: ann)
    #expect(try self.events(ann, after: start) == events)
    #expect(try database.integer("SELECT count(*) FROM catalogue_subject") == 0)
  }

  @Test("a connection that dies between appending and the commit leaves nothing behind, and is made again")
  func dyingConnection() throws {
    let connection = try hub.connect()
    let catalogue = try PostgresLibrary(connection, of: nil) { 1_800_000_000_000 }
    let start = catalogue.position
    let folded = catalogue.model.foldedText
    var isAppended = false
    catalogue.model.foldedText = { description in
      isAppended = try connection.integer("SELECT lines FROM owner WHERE n = 0") == 2
      let process = try #require(try connection.integer("SELECT pg_backend_pid()"))
      _ = try database.integer("SELECT 1 WHERE pg_terminate_backend(?::integer, 60000)", process)
      return try folded(description)
    }
    #expect(throws: DatabaseError.self) { try commit([Sample.found(1)], to: catalogue) }
    #expect(isAppended)
    catalogue.model.foldedText = folded
    #expect(try events(catalogue, after: start).isEmpty)
    #expect(try catalogue.model.videoCount() == 0)
    let events = try commit([Sample.found(2)], to: catalogue)
    #expect(try self.events(catalogue, after: start).map(\.id) == events.map(\.id))
    #expect(try catalogue.model.videoCount() == 1)
    #expect(try catalogue.verify())
  }

  @Test("while another process folds for long, tables say what they said, and nothing is appended")
  func waiting() throws {
    let (ann, catalogue) = (try log(of: "ann"), try log(of: nil))
    let patient = try PostgresLibrary(try hub.connect(lockTimeout: 1), of: "ann") { 1_800_000_000_000 }
    _ = try commit([follow], to: ann)
    try patient.refresh()
    let found = try commit([Sample.found(1)], to: catalogue)
    try database.transaction {
      try database.run("SELECT lock_owner(?)", ann.owner)
      try patient.refresh()
      #expect(try patient.model.videoCount() == 0)
      #expect(throws: DatabaseError.busy) { try commit([save(1)], to: patient) }
    }
    try patient.refresh()
    #expect(try patient.model.videoCount() == 1)
    #expect(try patient.events(about: Sample.video(1)).map(\.id) == found.map(\.id))
  }

  @Test("tables are filled again without anybody's feeds being given up, and without what the log names no more")
  func wanting() throws {
    let ann = try log(of: "ann")
    let names = (1...3).map { SubscriptionID.channel(Sample.channel($0)) }
    _ = try commit(names.map { .channelFollowed(ChannelFollowed(subscription: $0, title: nil, tags: nil)) }, to: ann)
    _ = try commit(
      [.channelUnfollowed(names[1]), .handleFollowed(HandleFollowed(handle: "@ann", title: nil, tags: nil))], to: ann)
    func wanted() throws -> [String] {
      var wanted: [String] = []
      try database.forEach("SELECT subject FROM wanted WHERE followed ORDER BY subject") { wanted.append($0.text(0)) }
      return wanted
    }
    let expected = [names[0], names[2]].map(\.description).sorted()
    #expect(try wanted() == ["@ann"] + expected)
    try database.run("INSERT INTO wanted VALUES (?, 'UCnamedBefore', true, NULL)", ann.owner)
    try database.run("SELECT clear_model(?)", ann.owner)
    #expect(try wanted().count == 4)
    try ann.refresh()
    #expect(try wanted() == ["@ann"] + expected)
    #expect(try ann.verify())
  }

  @Test("the lines are a log file, byte for byte")
  func file() throws {
    let ann = try log(of: "ann")
    var appended: [Event] = []
    for number in 0..<5 as Range<UInt64> { appended += try commit([save(number), save(number + 10)], to: ann) }
    var bytes: [UInt8] = []
    try database.forEach("SELECT bytes FROM log_line ORDER BY log, start") { bytes += $0.blob(0) }
    let device = try #require(try database.first("SELECT device FROM owner WHERE name = 'ann'") { $0.text(0) })
    let folder = TemporaryFolder()
    folder.write(bytes, to: "log/\(device).jsonl")
    var read: [Event] = []
    let journal = try Journal(folders: folder.folders, device: nil, coverage: nil, clock: { 1_800_000_000_000 })
    journal.receive = { event, _, _ in read.append(event) }
    try journal.refresh()
    #expect(journal.findings.isEmpty)
    #expect(read == appended)
    #expect(try ann.events(about: Sample.video(11)) == read.filter { $0.body.video == Sample.video(11) })
  }

  @Test("new events get IDs above all that are known, unless those are a day ahead")
  func clocks() throws {
    let hour: UInt64 = 3_600_000
    let ahead = try log(of: nil, at: 1_800_000_000_000 + hour)
    let before = try commit([save(1)], to: ahead)
    let ann = try log(of: "ann")
    let start = ann.position
    let after = try commit([save(2)], to: ann)
    #expect(after[0].id > before[0].id)
    let tooFar = try log(of: nil, at: 1_800_000_000_000 + 30 * hour)
    let future = try commit([save(3)], to: tooFar)
    let last = try commit([save(4)], to: ann)
    #expect(last[0].id > after[0].id)
    #expect(last[0].id < future[0].id)
    #expect(try events(ann, after: start) == after + last)
  }

  @Test("opening a log whose tables are up to date locks nothing and writes nothing")
  func opening() throws {
    _ = try commit([Sample.found(1)], to: try log(of: nil))
    _ = try commit([follow, save(1)], to: try log(of: "ann"))
    func lastLock() throws -> String? {
      try database.first("SELECT CAST(xmin AS text) || ' ' || CAST(xmax AS text) FROM owner WHERE name = 'ann'") {
        $0.text(0)
      }
    }
    let before = try #require(try lastLock())
    let again = try log(of: "ann")
    #expect(try lastLock() == before)
    #expect(try again.model.videoCount() == 1)
    let era = try #require(try database.first("SELECT era()") { $0.text(0) })
    #expect(again.position == "\(era):3:2".utf8.map { String(hex: UInt64($0), digits: 2) }.joined())
  }

  @Test("a page takes as many statements as one video, and says the same")
  func pages() throws {
    let connection = try hub.connect()
    let ann = try PostgresLibrary(connection, of: "ann") { 1_800_000_000_000 }
    let catalogue = try log(of: nil)
    _ = try commit([follow], to: ann)
    _ = try commit((1...30).map { Sample.found($0, description: "Words \($0)") }, to: catalogue)
    _ = try commit(
      [save(3), .collectionSet(CollectionSet(video: Sample.video(4), collection: "later", member: true))], to: ann)
    let ids = (1...31).reversed().map { Sample.video($0) }
    /// Runs `body` twice, for the statements that are prepared by the first time; how many ran in the second.
    func statements(_ body: () throws -> Void) throws -> Int64 {
      let count: SQL = "SELECT CAST(sum(generic_plans + custom_plans) AS bigint) FROM pg_prepared_statements"
      try body()
      let before = try #require(try connection.integer(count))
      try body()
      return try #require(try connection.integer(count)) - before
    }
    let one = try statements { _ = try ann.model.videos(ids.suffix(1), alsoUnseen: true) }
    // And one for the collections of the one that is in some.
    #expect(try statements { _ = try ann.model.videos(ids, alsoUnseen: true) } == one + 1)
    let page = try ann.model.videos(ids, alsoUnseen: true).videos
    #expect(page == (try ids.compactMap { try ann.model.video($0) }))
    #expect(page.count == 30)
    #expect(page.filter(\.isSaved).map(\.id) == [Sample.video(3)])

    let moment = try statements { _ = try ann.model.moments(of: ids.suffix(1)) }
    #expect(try statements { _ = try ann.model.moments(of: ids) } == moment)
    #expect(try ann.model.moments(of: ids).map { $0 != nil } == [false] + (1...30).map { _ in true })
    let texts = page.compactMap(\.description)
    let text = try statements { _ = try ann.texts(of: texts.suffix(1)) }
    #expect(try statements { _ = try ann.texts(of: texts) } == text)
    #expect(try ann.texts(of: texts) == (1...30).reversed().map { "Words \($0)" })
    #expect(try ann.texts(of: []).isEmpty)
  }

  @Test("positions of another era, beyond the end, or malformed are refused")
  func positions() throws {
    let ann = try log(of: "ann")
    func hex(_ text: String) -> String { text.utf8.map { String(hex: $0, digits: 2) }.joined() }
    let era = try #require(try database.first("SELECT era()") { $0.text(0) })
    #expect(ann.position == hex("\(era):0:0"))
    for text in ["\(era):1:0", "\(era):0:1", "\(era):-1:0", "1\(era):0:0", "\(era):0", "\(era):0:0:0", ""] {
      #expect(try ann.events(after: hex(text), maximum: 10) == nil, "\(text)")
    }
    #expect(try ann.events(after: "0g", maximum: 10) == nil)
    #expect(try ann.events(after: "0", maximum: 10) == nil)
  }
}
