import FixtureServer
import Glibc
import TestSupport
import Testing

/// Two users with the same channels: one's polls are killed, the other's never. After an undisturbed poll both must
/// have the same state. `scripts/kill-sweep.sh` does it hundreds of times.
@Suite("Polls killed at any moment")
struct KillTests {
  private let killed: Sandbox
  private let calm: Sandbox
  /// More than fit into one batch.
  private let channels = SyntheticChannel.first(80)

  init() throws {
    (killed, calm) = (try Sandbox(), try Sandbox())
    calm.environment["METUBE_RSS_FEEDS_URL"] = killed.server.baseURL
    for person in [killed, calm] {
      try person.succeed("import", "-", input: channels.map { $0.id + "\n" }.joined())
    }
  }

  /// Gives each channel two videos, and one more with each generation.
  private func publish(generation: Int) {
    for (number, channel) in channels.enumerated() {
      let videos = (0..<2 + generation).reversed().map { position in
        (id: "vid\(1_000_000 + 1000 * number + position)A", title: "Number \(position) at \(channel.title)")
      }
      killed.server.serve(
        channel.id, .feed(FixtureFeed.of(channel, videos, newest: 1_793_404_800 + generation * 86_400).xml))
    }
  }

  /// Starts a poll and kills it within the duration of a poll.
  private func kill(within duration: Duration) throws {
    let running = try killed.program.start(["poll", "--rate", "0", "--force", "--jobs", "8"])
    let microseconds = UInt32(duration / .microseconds(1))
    usleep(.random(in: 0...microseconds))
    running.signal(SIGKILL)
    _ = try running.finish()
  }

  /// The user-visible state, except for the times of sighting.
  private func knowledge(of person: Sandbox) throws -> [String] {
    let videos = try person.everything().map { video in
      [video.video, video.channel, video.title, video.url, video.published, video.status, video.short].joined(
        separator: " ")
    }
    let channels = try person.channels().map { "\($0.channel) \($0.failures) \($0.verdict) \($0.lastAnswer ?? "")" }
    return videos + channels
  }

  @Test("leave a log that the next poll completes, with nothing lost and nothing found twice", arguments: 0..<4)
  func completed(generations: Int) throws {
    for generation in 0...generations {
      publish(generation: generation)
      let duration = try ContinuousClock().measure { _ = try calm.poll("--force", "--jobs", "8") }
      for _ in 0..<2 { try kill(within: duration) }
      #expect(try killed.poll("--force", "--jobs", "8").checked == channels.count)
      #expect(try killed.run("log", "verify").status == 0)
      #expect(killed.events("videoFound").count == (2 + generation) * channels.count)
      #expect(try knowledge(of: killed) == knowledge(of: calm))
    }
  }

  @Test("started together, one does the work and the other names it and ends with 75")
  func together() throws {
    publish(generation: 0)
    // Neither ends before the other has begun.
    killed.server.responseLimit = 0
    let both = try (0..<2).map { _ in try killed.program.start(["poll", "--rate", "0"]) }
    wait { both.contains(where: \.hasEnded) }
    killed.server.responseLimit = .max
    let outcomes = try both.map { try $0.finish() }
    #expect(Set(outcomes.map(\.status)) == [0, 75])
    let (first, second) = outcomes[0].status == 0 ? (both[0], outcomes[1]) : (both[1], outcomes[0])
    #expect(second.errors.contains("metube-rss poll (process \(first.process)) is still running"))
    #expect(killed.events("videoFound").count == 2 * channels.count)
  }
}
