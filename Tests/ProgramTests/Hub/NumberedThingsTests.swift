import Core
import EventLog
import ReadModel
import SQLDrivers
import TestSupport
import Testing

@testable import App
@testable import HubCore
@testable import HubStore

@Suite("Numbers of subscriptions")
final class NumberedThingsTests {
  private let sandbox: Sandbox
  private let service: HubService

  init() throws {
    sandbox = try Sandbox()
    service = try HubService(.home(sandbox.folder.path), user: nil)
  }

  private func append(_ bodies: EventBody...) throws { try service.session.commit { bodies } }

  private func follow(_ numbers: Range<UInt64>, _ tags: String...) throws {
    try service.session.commit {
      numbers.map {
        .channelFollowed(ChannelFollowed(subscription: .channel(Sample.channel($0)), title: nil, tags: tags))
      }
    }
  }

  /// The names that have numbers after a request, apart from those of videos.
  private func numbered() throws -> Set<String> {
    try service.refresh()
    try service.numbers.take(service.session)
    var names: Set<String> = []
    try service.numbers.store.database.forEach("SELECT key FROM number WHERE kind <> 1") { names.insert($0.text(0)) }
    return names
  }

  @Test("Only subscriptions and tags that are new are numbered, and none after a mark")
  func new() throws {
    try follow(1..<101, "a")
    try append(Sample.found(1))
    #expect(try numbered().count == 101)
    // Whatever is looked for gets a number again.
    try service.numbers.store.database.execute("DELETE FROM number")
    try append(
      .statusSet(StatusSet(video: Sample.video(1), status: .watched, until: nil, at: Sample.start, reason: nil)))
    #expect(try numbered().isEmpty)
    try follow(101..<102, "a", "b")
    #expect(try numbered() == ["\(Sample.channel(101))", "b"])
  }

  @Test("A tag that is used again after it was renamed has a new number")
  func renamed() throws {
    try follow(1..<2, "a")
    #expect(try numbered() == ["\(Sample.channel(1))", "a"])
    try service.numbers.move(.tag, from: "a", to: "b")
    try follow(2..<3, "a")
    #expect(try numbered() == ["\(Sample.channel(1))", "\(Sample.channel(2))", "a", "b"])
  }
}
