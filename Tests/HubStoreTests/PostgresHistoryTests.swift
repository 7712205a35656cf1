import Core
import EventLog
import Glibc
import HubStore
import Library
import ReadModel
import SQLDrivers
import Seeded
import SlowFold
import TestSupport
import Testing

private let start: UInt64 = 1_800_000_000_000

/// The catalogue and users in files and in PostgreSQL, to which the same is done.
private final class Twins {
  private let folder = TemporaryFolder()
  let hub: HubDatabase
  let names: [String?] = [nil, "ann", "bob"]
  private(set) var inTables: [PostgresLibrary] = []
  private(set) var inFiles: [FileLibrary] = []
  private(set) var time = start

  init() throws {
    hub = try HubDatabase(.postgres)
    for user in ["ann", "bob"] { _ = try hub.accounts().addUser(user, hash: "", now: 0) }
    mkdir(folder.path + "/users", 0o700)
    for name in names {
      let library = try opened(name)
      inTables.append(library)
      let device = try #require(library.device)
      inFiles.append(
        try FileLibrary(folders: folders(name), device: device, machine: nil) { [unowned self] in time })
    }
  }

  private func folders(_ name: String?) -> Folders {
    let path = folder.path + (name.map { "/users/\($0)" } ?? "/catalogue")
    mkdir(path, 0o700)
    var folders = Folders(data: path, state: path + "/state", cache: path + "/cache")
    if name != nil { folders.catalogue = folder.path + "/catalogue/log" }
    return folders
  }

  /// A library on a connection of its own.
  func opened(_ name: String?) throws -> PostgresLibrary {
    try PostgresLibrary(try hub.connect(), of: name) { [unowned self] in time }
  }

  func wait(_ milliseconds: UInt64) { time += milliseconds }

  func append(_ bodies: [EventBody], to owner: Int) throws {
    time += 1000
    let one = try inFiles[owner].commit(action: nil, undoing: nil) { bodies }
    let other = try inTables[owner].commit(action: nil, undoing: nil) { bodies }
    #expect(one.map(\.id) == other.map(\.id))
  }

  /// Takes the last action of an owner back; returns false without one.
  func undo(_ owner: Int) throws -> Bool {
    time += 1000
    func undo(_ library: any Library) throws -> [EventBody]? {
      guard let action = try library.device.flatMap({ try library.lastAction(of: $0) }) else { return nil }
      let done = try library.events(of: action)
      return try library.commit(action: nil, undoing: action) {
        let bodies = try library.undoing(action, done)
        return bodies.isEmpty ? [.actionUndone] : bodies
      }.map(\.body)
    }
    try refresh()
    let (one, other) = (try undo(inFiles[owner]), try undo(inTables[owner]))
    #expect(one == other)
    return one != nil
  }

  func refresh() throws {
    for library in inFiles { try library.refresh() }
    for library in inTables { try library.refresh() }
  }

  /// Whether an owner has the same in both.
  func compare(_ owner: Int, _ label: Comment) throws {
    let (files, tables) = (inFiles[owner], inTables[owner])
    #expect(try files.model.state() == tables.model.state(), label)
    for number in 0..<12 as Range<UInt64> {
      let id = VideoID(bits: number)
      #expect(try content(id, files) == content(id, tables), "\(label) \(id)")
      #expect(try files.events(about: id).map(\.id) == tables.events(about: id).map(\.id), "\(label) \(id)")
    }
    let query = VideoQuery(
      statuses: nil, shorts: .show, upcoming: .show, subscriptions: nil, tags: [], since: nil, until: nil,
      order: .found, oldestFirst: false, limit: 0)
    let now = Timestamp(seconds: Int64(time / 1000))
    #expect(try files.model.select(query, at: now).ids == tables.model.select(query, at: now).ids, label)
    #expect(try tables.verify(), label)
  }

  /// A video without the positions of its texts.
  private func content(_ id: VideoID, _ library: any Library) throws -> Video? {
    var video = try library.model.video(id)
    let text = try video?.description.map { Description(try library.text(of: $0)) }
    video?.description = text
    return video
  }

  /// Appends events of another device to a user's log in PostgreSQL, as exchange does, and to one in files.
  func send(_ events: [Event], to owner: Int, at length: Int64 = 0) throws {
    var lines = EventLines()
    if length == 0, let first = events.first { try lines.begin(with: first.id) }
    for event in events { try lines.add(event) }
    let device = try #require(events.first?.id.device)
    let ids = lines.ids.flatMap { id in
      [id.reading, id.device.letters].flatMap { half in
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
      }
    }
    let number = try hub.connect().integer(
      "SELECT append_lines(?, ?, ?, 1, ?, ?, ?::integer[], ?)", inTables[owner].owner, "\(device)", "\(device)", length,
      lines.bytes, "{\(lines.lengths.map(String.init).joined(separator: ","))}", ids)
    #expect(number != nil)
    let path = folders(names[owner]).log + "/\(device).jsonl"
    let file = try #require(fopen(path, "ab"))
    defer { fclose(file) }
    #expect(fwrite(lines.bytes, 1, lines.bytes.count, file) == lines.bytes.count)
  }
}

@Suite(
  "Histories in PostgreSQL, beside files",
  .enabled(if: TestServer.address != nil, "METUBE_RSS_TEST_POSTGRES is not set"))
struct PostgresHistoryTests {
  private let channel = Sample.channel(1)

  private func follow(_ channel: ChannelID) -> EventBody {
    .channelFollowed(ChannelFollowed(subscription: .channel(channel), title: nil, tags: nil))
  }

  @Test("The same is done in the same order, and everybody has the same", arguments: 0..<10 as Range<UInt64>)
  func anyHistory(seed: UInt64) throws {
    let twins = try Twins()
    var maker = EventMaker(seed: 4000 + seed)
    var random = SeededGenerator(seed: seed)
    for step in 0..<14 {
      let owner = Int.random(in: 0...2, using: &random)
      if owner > 0, step % 4 == 3 {
        _ = try twins.undo(owner)
      } else {
        try twins.append(maker.events(5).map(\.body), to: owner)
      }
      guard Bool.random(using: &random) else { continue }
      try twins.refresh()
      for owner in 0...2 { try twins.compare(owner, "seed \(seed), step \(step), owner \(owner)") }
    }
    try twins.refresh()
    for owner in 0...2 {
      try twins.compare(owner, "seed \(seed), owner \(owner)")
      let digest = try twins.inTables[owner].model.digest()
      try twins.inTables[owner].rebuild()
      #expect(try twins.inTables[owner].model.digest() == digest)
      #expect(try twins.opened(twins.names[owner]).model.digest() == digest)
    }
  }

  @Test("Who follows later sees what the catalogue has, also of videos that other channels showed first")
  func laterFollower() throws {
    let twins = try Twins()
    let other = Sample.channel(2)
    try twins.append([Sample.found(1), Sample.found(1, of: 2, title: "By another"), Sample.found(2)], to: 0)
    let video = Sample.video(1)
    try twins.append([.videoChanged(VideoChanged(video: video, title: "Changed"))], to: 0)
    #expect(try twins.inTables[1].model.video(video) == nil)
    for (step, body) in [follow(other), .channelUnfollowed(.channel(other)), follow(other), follow(channel)]
      .enumerated()
    {
      try twins.append([body], to: 1)
      try twins.append(
        [
          .videoEnriched(
            VideoEnriched(video: video, duration: 10 + step, live: nil, scheduled: nil, started: nil, ended: nil))
        ], to: 0)
      try twins.refresh()
      try twins.compare(1, "step \(step)")
      #expect(try twins.inTables[1].model.video(video)?.title == "Changed")
      #expect(try twins.inTables[1].model.video(video)?.duration == 10 + step)
      let wanted = try twins.hub.connect().integer(
        "SELECT count(*) FROM wanted WHERE subject = ? AND followed", "\(other)")
      #expect(wanted == (step == 1 ? 0 : 1))
    }
    #expect(try twins.inTables[2].model.video(video) == nil)
  }

  @Test("Late events of another device count as they do in files, those of tomorrow's clock when their day has come")
  func otherDevice() throws {
    let twins = try Twins()
    let (device, video) = (try #require(DeviceID("zzzzzzzz")), Sample.video(1))
    try twins.append([Sample.found(1), Sample.found(7, of: 3)], to: 0)
    try twins.append([follow(channel), .noteSet(NoteSet(video: video, text: "mine"))], to: 1)
    func event(_ milliseconds: UInt64, _ body: EventBody) -> Event {
      let id = EventID(reading: milliseconds << 16, device: device)
      return Event(id: id, action: id, body: body)
    }
    try twins.send(
      [
        event(start - 5000, .noteSet(NoteSet(video: video, text: "earlier"))),
        event(start + 20, .savedSet(SavedSet(video: video, saved: true))),
        // What the device found itself: the user now sees what the catalogue says of it.
        event(start + 21, Sample.found(7, of: 3, title: "Found by the device")),
        event(start + 2 * 86_400_000, .noteSet(NoteSet(video: video, text: "from the future"))),
      ], to: 1)
    try twins.refresh()
    try twins.compare(1, "at once")
    #expect(try twins.inTables[1].model.video(video)?.note == "mine")
    #expect(try twins.inTables[1].model.video(Sample.video(7))?.found != nil)
    try twins.append([.videoRemoved(VideoRemoved(video: Sample.video(7), removed: true))], to: 0)
    twins.wait(86_400_000 + 10_000)
    try twins.refresh()
    try twins.compare(1, "a day later")
    #expect(try twins.inTables[1].model.video(video)?.note == "from the future")
    #expect(try twins.inTables[1].model.video(Sample.video(7))?.isRemoved == true)
  }

  @Test("Tables that do not say what the log says are noticed, and filled again from the log alone")
  func damagedTables() throws {
    let twins = try Twins()
    try twins.append([Sample.found(1), Sample.found(2), Sample.found(3, of: 2)], to: 0)
    try twins.append([follow(channel), .noteSet(NoteSet(video: Sample.video(1), text: "mine"))], to: 1)
    let (catalogue, ann, bob) = (twins.inTables[0], twins.inTables[1], twins.inTables[2])
    try twins.append([follow(channel)], to: 2)
    let digests = try twins.inTables.map { try $0.model.digest() }
    let damages: [SQL] = [
      "DELETE FROM all_video WHERE owner = \(number: ann.owner)",
      "UPDATE all_decision SET note = 'x' WHERE owner = \(number: ann.owner)",
      "UPDATE all_meta SET value = 'abc' WHERE owner = \(number: ann.owner); UPDATE all_tally SET count = 7",
    ]
    for damage in damages {
      try twins.hub.connect().execute(damage)
      #expect(try !ann.verify(), "\(damage)")
      for library in [ann, bob, catalogue] { try library.rebuild() }
      #expect(try twins.inTables.map { try $0.model.digest() } == digests, "\(damage)")
      for owner in 0...2 { try twins.compare(owner, "\(damage)") }
    }
    #expect(try twins.hub.connect().integer("SELECT count(*) FROM catalogue_subject") == 6)
  }

  @Test("Positions: reading in parts gives what a user sees, each once, and those of another process are understood")
  func positions() throws {
    let twins = try Twins()
    let ann = twins.inTables[1]
    try twins.append([follow(channel)], to: 1)
    let (first, other) = (ann.position, try twins.opened("ann"))
    for number in 1...9 as ClosedRange<UInt64> {
      try twins.append([Sample.found(number, of: number % 3), Sample.found(number + 100)], to: 0)
      try twins.append([.savedSet(SavedSet(video: Sample.video(number), saved: true))], to: 1)
    }
    try ann.refresh()
    let last = ann.position
    // The other one has not read so far yet.
    #expect(try other.events(after: last, maximum: 5)?.events.isEmpty == true)
    for library in [ann, other] {
      for maximum in [1, 2, 5, 1000] {
        var (read, position): ([Event], String) = ([], first)
        for _ in 0..<100 where position != last {
          let part = try #require(try library.events(after: position, maximum: maximum))
          #expect(part.position != position && part.events.count <= maximum)
          read += part.events
          position = part.position
        }
        #expect(position == last && Set(read.map(\.id)).count == read.count && read.count == 9 + 9 + 3)
      }
    }
    #expect(try twins.inTables[2].events(after: last, maximum: 5) == nil, "bob has fewer lines")
  }

  @Test("Two libraries of one user, each with a connection, decide by what the other one appended, and lose nothing")
  func twoAtOnce() async throws {
    let twins = try Twins()
    let libraries = try (0..<2).map { _ in Alone(try twins.opened("ann")) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for library in libraries {
        group.addTask {
          for _ in 0..<20 {
            _ = try library.store.commit(action: nil, undoing: nil) {
              let known = try library.store.model.collections().count
              return [.collectionChanged(CollectionChanged(collection: "\(known)", kept: true, text: nil))]
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for library in libraries {
      try library.store.refresh()
      #expect(try library.store.model.collections().count == 40)
      #expect(try library.store.verify())
    }
  }

  @Test("Catching up reads the lines that concern the user, and no others")
  func cost() throws {
    let twins = try Twins()
    let (catalogue, ann) = (twins.inTables[0], twins.inTables[1])
    func publish(_ videos: Range<UInt64>) throws {
      _ = try catalogue.commit(action: nil, undoing: nil) { videos.map { Sample.found($0, of: $0 % 500) } }
    }
    try publish(0..<5000)
    _ = try ann.commit(action: nil, undoing: nil) { (0..<50).map { follow(Sample.channel($0)) } }
    #expect(ann.linesRead == 500)
    try publish(5000..<6000)
    try ann.refresh()
    #expect(ann.linesRead == 600)
    try ann.refresh()
    _ = try ann.commit(action: nil, undoing: nil) { [.savedSet(SavedSet(video: Sample.video(1), saved: true))] }
    #expect(ann.linesRead == 600)
    _ = try ann.commit(action: nil, undoing: nil) { [follow(Sample.channel(99))] }
    #expect(ann.linesRead == 612)
    #expect(try ann.model.videoCount() == 612)
    let again = try twins.opened("ann")
    #expect(again.linesRead == 0)
    #expect(try again.verify())
  }
}
