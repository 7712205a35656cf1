import Core
import EventLog
import Glibc
import JSON
import Library
import TestSupport
import Testing

@testable import App
@testable import Platform

/// What a mark of a user reads, by how the videos came to the user.
@Suite("What a mark costs")
struct MarkCostTests {
  private static let (channels, each, saved, marks) = (100, 40, 400, 20)
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// Appends events to the log of a folder, with the action of each.
  private func append(_ bodies: [EventBody], to folder: String) throws {
    let journal = try Journal(
      folders: Home(folder: folder, environment: [:]).folders, device: nil, coverage: nil, clock: Clock.milliseconds)
    try journal.refresh()
    _ = try journal.commit(action: nil, undoing: nil) { bodies }
  }

  private static let follows = (1...UInt64(channels)).map { number in
    EventBody.channelFollowed(
      ChannelFollowed(subscription: .channel(Sample.channel(number)), title: nil, tags: nil))
  }
  private static let finds = (0..<UInt64(channels * each)).map { number in
    Sample.found(number, of: 1 + number % UInt64(channels), title: "A title \(number)", day: Int64(number % 300))
  }
  private static let saves = (0..<UInt64(saved)).map { EventBody.save($0 * 7, true) }

  /// The bytes that the hub reads for each of some marks.
  private func bytesRead(by hub: RunningHub, _ user: String) throws -> Int {
    func mark(_ number: Int) throws {
      let video = Sample.video(UInt64(number) * 11 + 1)
      let response = try hub.send(
        "POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(video)","status":"watched"}]}"#, user)
      try #require(response.status == 200, "\(response.text)")
    }
    // The first ones open the log, make the tables and fill caches.
    for number in 0..<5 { try mark(number) }
    let before = try hub.bytesRead
    for number in 0..<MarkCostTests.marks { try mark(5 + number) }
    return try (hub.bytesRead - before) / MarkCostTests.marks
  }

  @Test("A user whose log has all videos, as after user add --from, reads as little as one who sees the catalogue's")
  func from() throws {
    let home = TemporaryFolder()
    try append(MarkCostTests.follows + MarkCostTests.finds + MarkCostTests.saves, to: home.path)
    try sandbox.addUser("ann", "--from", home.path)
    try sandbox.addUser("bob")
    try append(MarkCostTests.follows + MarkCostTests.finds, to: sandbox.hubData + "/catalogue")
    try append(MarkCostTests.follows + MarkCostTests.saves, to: sandbox.hubData + "/users/bob")
    let (ann, bob) = (try sandbox.bearer("ann"), try sandbox.bearer("bob"))
    let hub = try sandbox.runHub()
    for user in [ann, bob] {
      let page = try hub.get("/api/v1/videos?limit=1", user).json
      #expect(page["matching"]?.number == Double(MarkCostTests.channels * MarkCostTests.each), "as many for both")
    }
    let (own, shared) = (try bytesRead(by: hub, ann), try bytesRead(by: hub, bob))
    print("bytes read for a mark: \(own) with all videos in the own log, \(shared) with those of the catalogue")
    #expect(own < 2 * shared + 65_536, "\(own) bytes, and \(shared) with the catalogue's videos")
  }
}
