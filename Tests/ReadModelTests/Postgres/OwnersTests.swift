import Core
import SQLDrivers
import SlowCheck
import Testing

@testable import ReadModel

@Suite("Several owners in the same tables", .enabled(if: TestEngine.isPostgres, "needs METUBE_RSS_TEST_POSTGRES"))
struct OwnersTests {
  private let schema: TestSchema

  init() throws { schema = try TestSchema(try #require(TestEngine.postgres)) }

  private func model(_ owner: Int64, _ database: Database? = nil) throws -> ReadModel {
    ReadModel(server: try database ?? Database(schema.settings), user: owner)
  }

  /// An owner's model beside one in SQLite that has nothing else.
  private final class Pair {
    let model: ReadModel
    let alone: ReadModel
    var log: RandomLog
    private let texts = DescriptionTexts([])
    private var applied = 0

    init(_ model: ReadModel, seed: UInt64) throws {
      self.model = model
      alone = try ReadModel(user: model.user)
      log = RandomLog(seed: seed, videos: 150)
      log.addRule()
      for model in [model, alone] { model.foldedText = texts.folded }
    }

    /// Applies the next events of the log.
    func goOn(_ count: Int) throws {
      let events = StoredEvent.all(log.events)[applied...].prefix(count)
      texts.add(events.map(\.event))
      for model in [model, alone] { try model.add(events) }
      applied += events.count
    }

    func mark() {
      log.add(log.mark(log.known()))
      log.find()
      log.addRule()
    }

    func ids(_ numbers: NumberSet, _ model: ReadModel) throws -> Set<Int64> {
      var ids: Set<Int64> = []
      try model.read { (database) throws(DatabaseError) in
        for n in numbers {
          if let id = try database.integer("SELECT id FROM video WHERE n = ?", n) { ids.insert(id) }
        }
      }
      return ids
    }
  }

  @Test("Each owner's tables are those of a file of the owner's own", arguments: 1...6 as ClosedRange<UInt64>)
  func separation(seed: UInt64) throws {
    let shared = try Database(schema.settings)
    let owners = try [0, 1, 2, 5].map { (owner: UInt64) in
      try Pair(try model(Int64(owner), owner < 3 ? shared : nil), seed: seed * 10 + owner)
    }
    for round in 0..<6 {
      for owner in owners {
        if round == 5 { for _ in 0..<9 { owner.mark() } }
        try owner.goOn(round == 5 ? .max : 40 + round * 17)
      }
    }
    for owner in owners {
      let label: Comment = "seed \(seed), owner \(owner.model.user)"
      #expect(try owner.model.digest() == owner.alone.digest(), label)
      #expect(try owner.model.videoCount() == owner.alone.videoCount(), label)
      #expect(
        try owner.model.channelCounts(at: RandomLog.now) == owner.alone.channelCounts(at: RandomLog.now), label)
      #expect(try owner.model.limitedRules() == owner.alone.limitedRules(), label)
      #expect(try owner.model.ruleEffects(at: RandomLog.now) == owner.alone.ruleEffects(at: RandomLog.now), label)
      for _ in 0..<30 {
        let generated = GeneratedQuery(&owner.log)
        var query = generated.query(isSeries: false)
        query.ignoresRules = generated.noRules
        let lists = try [owner.model, owner.alone].map { model in
          try model.select(query, at: RandomLog.now, among: try generated.search.map { try model.search($0) })
        }
        #expect(lists[0].ids == lists[1].ids && lists[0].matching == lists[1].matching, label)
        #expect(lists[0].hidden == lists[1].hidden, label)
        guard let words = generated.search else { continue }
        let found = try [owner.model, owner.alone].map { try owner.ids(try $0.search(words), $0) }
        #expect(found[0] == found[1], label)
      }
    }
  }

  @Test("What one owner's log says of a video changes nothing for another one")
  func hostileFacts() throws {
    let (ann, bob) = (try model(1), try model(2))
    guard case .videoFound(var found) = Sample.found(1, title: "A quiet lake") else { return }
    found.description = Description("lake and reeds")
    for model in [ann, bob] { try model.apply([Sample.event(10, .videoFound(found))]) }
    let digest = try ann.digest()
    // Earlier, later, of another channel, with a text under the fingerprint of the first one.
    var hostile = found
    hostile.channel = Sample.channel(9)
    hostile.title = "Casino"
    var change = VideoChanged(video: found.video, title: "Casino")
    change.description = Description("casino")
    try bob.apply([
      Sample.event(1, .videoFound(hostile)), Sample.event(20, .videoChanged(change)),
      Sample.event(21, .videoRemoved(VideoRemoved(video: found.video, removed: true))),
      Sample.event(22, .channelChanged(ChannelChanged(subscription: .channel(found.channel), name: "Casino"))),
    ])
    #expect(try bob.video(found.video)?.title == "Casino")
    #expect(try ann.digest() == digest)
    #expect(try ann.video(found.video)?.title == "A quiet lake")
    for (words, count) in [("casino", 0), ("lake", 1), ("reeds", 1)] {
      #expect(try ann.search(words).count == count, "\(words)")
    }
    #expect(try bob.search("casino").count == 1)
  }

  @Test("Words of the catalogue's descriptions are stored once, and found by all who have the video")
  func sharedWords() throws {
    let (catalogue, ann, bob) = (try model(0), try model(1), try model(2))
    guard case .videoFound(var found) = Sample.found(1, title: "A title") else { return }
    found.description = Description("lake and reeds")
    for model in [catalogue, ann] { try model.apply([Sample.event(10, .videoFound(found))]) }
    #expect(try schema.database.integer("SELECT count(*) FROM all_words") == 1)
    #expect(try ann.search("reeds").count == 1)
    #expect(try bob.search("reeds").count == 0)
  }

  @Test("A connection that is made again, and a transaction that is undone, go on with the right owner")
  func owners() throws {
    let database = try Database(schema.settings)
    let (ann, bob) = (try model(1, database), try model(2, database))
    try ann.apply([Sample.event(1, Sample.found(1))])
    for round in 0..<3 {
      if round == 1 {
        let process = try #require(try database.integer("SELECT pg_backend_pid()"))
        _ = try schema.database.integer("SELECT 1 WHERE pg_terminate_backend(CAST(? AS integer), 60000)", process)
      }
      #expect(try ann.videoCount() == 1)
      #expect(try bob.videoCount() == 0)
    }
    struct Stop: Error {}
    for isNested in [false, true] {
      _ = try ann.videoCount()
      let stopped = #expect(throws: Stop.self) {
        try database.transaction {
          try database.nestedTransaction {
            try bob.apply([Sample.event(1, Sample.found(2))])
            if isNested { throw Stop() }
          }
          throw Stop()
        }
      }
      #expect(stopped != nil)
      #expect(try bob.videoCount() == 0)
      #expect(try ann.videoCount() == 1)
    }
    try database.transaction {
      try bob.apply([Sample.event(1, Sample.found(2))])
      try ann.apply([Sample.event(2, Sample.found(2))])
    }
    #expect(try bob.videoCount() == 1)
    #expect(try ann.videoCount() == 2)
    try ann.apply([Sample.event(2, Sample.found(3))])
    #expect(try schema.database.integer("SELECT max(n) FROM all_video") == 3)
  }

  @Test("An owner is written while another one's transaction is open")
  func writingAtOnce() throws {
    let (ann, bob) = (try model(1), try model(2))
    let isApplied = try ann.update(from: nil) { apply in
      try apply(Sample.event(1, Sample.found(1)), 0, 0)
      // It would wait for a lock for 10 s, and then fail.
      try bob.apply([Sample.event(1, Sample.found(1)), Sample.event(2, Sample.found(2))])
      #expect(try bob.videoCount() == 2)
      return [1]
    }
    #expect(isApplied)
    #expect(try ann.videoCount() == 1)
  }

  @Test("There is no model without an owner")
  func unknownOwner() throws {
    let stranger = try model(77)
    #expect(throws: DatabaseError.self) { try stranger.apply([Sample.event(1, Sample.found(1))]) }
    #expect(throws: DatabaseError.self) { try Database(schema.settings).integer("SELECT count(*) FROM video") }
  }
}
