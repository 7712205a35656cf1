import FixtureServer
import FoundationEssentials
import Testing

/// A user's channels around a fault, and the expectations afterwards.
struct FaultScene {
  private let sandbox: Sandbox
  private let channels: [SyntheticChannel]
  /// The channels that meet the fault, by ID.
  private let hit: Set<String>
  private var before: [String] = []

  /// Follows the channels, polls them once, and lets each publish a video.
  init(_ sandbox: Sandbox, _ reach: FaultReach) throws {
    self.sandbox = sandbox
    channels = SyntheticChannel.first(reach.channels)
    hit = Set(channels.prefix(reach.hit).map(\.id))
    publish(generation: 0)
    try sandbox.succeed("import", "-", input: channels.map { $0.id + "\n" }.joined())
    #expect(try sandbox.poll().new == 2 * reach.channels)
    before = sandbox.log
    publish(generation: 1)
    sandbox.server.forgetRequests()
  }

  /// Gives each channel two videos, and one more with each generation.
  private func publish(generation: Int) {
    for (number, channel) in channels.enumerated() {
      let videos = (0..<2 + generation).reversed().map { position in
        (id: video(number, position), title: "Number \(position) at \(channel.title)")
      }
      let newest = 1_793_404_800 + generation * 86_400
      sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, videos, newest: newest).xml))
    }
  }

  private func video(_ channel: Int, _ position: Int) -> String {
    let digits = String(1_000_000 + 1000 * channel + position)
    return "vid\(digits)A"
  }

  /// Applies the fault to those channels.
  func strike(_ fault: PollFault) {
    sandbox.server.route(PollFault.circle) { _ in .redirect(to: PollFault.circle) }
    if hit.count == channels.count, hit.count > 1 {
      for prefix in ["UC", "UU"] {
        for channel in channels { fail(fault, prefix + channel.id.dropFirst(2)) }
      }
    } else {
      for channel in hit { fail(fault, channel) }
    }
  }

  private func fail(_ fault: PollFault, _ key: String) {
    sandbox.server.fail(fault.fault, on: .key(key), times: .always)
  }

  // MARK: What has to be so

  /// Expects that the run stopped at once, for a reason that is not a feed's fault.
  func expectRefusal(_ polled: Polled, _ reason: String) throws {
    #expect(polled.stopped == reason && polled.exit == 75 && !polled.outage)
    #expect(polled.new == polled.checked && polled.checked <= channels.count - 1)
    // Requests in flight when the refusal came may be refused too.
    #expect((1...4).contains(polled.failed))
    #expect(sandbox.server.requests.count == polled.checked + polled.failed)
    try expectFound(polled.new)
    #expect(try blamed().isEmpty)
  }

  /// Expects an outage: few requests, no channel blamed.
  func expectOutage(_ polled: Polled, _ fault: PollFault) throws {
    #expect(polled.stopped == (fault.isSilent ? "offline" : "outage") && polled.exit == 75 && polled.outage)
    #expect(polled.checked == 0 && polled.new == 0)
    // Ten to detect it, three in flight, three for the other kind of feed; a single channel has one retry and one of
    // the other kind.
    let questions = channels.count == 1 ? 3 : 16
    #expect(sandbox.server.requests.count <= questions * fault.requests.upperBound)
    try expectFound(0)
    #expect(try blamed().isEmpty)
    let reported = try #require(polled.reported)
    #expect(fault.isReported(by: reported))
  }

  /// Expects that only channels that met the fault are blamed, once each.
  func expectBlame(_ polled: Polled, _ fault: PollFault) throws {
    #expect(polled.stopped == nil && polled.exit == 1 && !polled.outage)
    let well = channels.count - hit.count
    #expect(polled.checked == well && polled.new == well && polled.failed == hit.count)
    #expect(Set(polled.failures.map(\.channel)) == hit)
    #expect(polled.failures.allSatisfy { fault.isReported(by: $0.reason) && $0.status == fault.status })
    let reported = try #require(polled.reported)
    let lines = reported.split(separator: "\n")
    #expect((1...hit.count).contains(lines.count) && lines.allSatisfy { fault.isReported(by: $0) })
    let times = fault.course == .passing ? 2 : 1
    let requested = hit.count * times * fault.requests.lowerBound...hit.count * times * fault.requests.upperBound
    #expect(requested.contains(sandbox.server.requests.count - well), "\(sandbox.server.requests.count)")
    try expectFound(well)
    #expect(try blamed() == hit)
  }

  /// Expects that, without the fault, the next poll finds all the rest, and nothing is found twice.
  func expectHealing() throws {
    sandbox.server.heal()
    let polled = try sandbox.poll("--force")
    #expect(polled.checked == channels.count && polled.failed == 0 && polled.exit == 0)
    try expectFound(channels.count)
    #expect(try sandbox.everything().count == 3 * channels.count)
  }

  /// Expects that this many videos have been found since, and that the earlier log is unchanged.
  private func expectFound(_ count: Int) throws {
    #expect(sandbox.events("videoFound").count == 2 * channels.count + count)
    #expect(sandbox.log.starts(with: before))
  }

  /// The channels with failures counted.
  private func blamed() throws -> Set<String> {
    let rows = try sandbox.channels()
    #expect(rows.allSatisfy { ($0.failures > 0) == ($0.verdict == "failing") })
    return Set(rows.filter { $0.failures > 0 }.map(\.channel))
  }
}

/// The feed-related fields of a channel in `channels --format jsonl`.
struct ListedChannel: Decodable {
  let channel: String
  let lastChecked: String?
  let failingSince: String?
  let failures: Int
  let lastAnswer: String?
  let verdict: String
}

extension Sandbox {
  /// The followed channels, from `channels --format jsonl`.
  func channels() throws -> [ListedChannel] {
    let outcome = try program.run(["channels", "--format", "jsonl"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try outcome.lines.map { try JSONDecoder().decode(ListedChannel.self, from: Data($0.utf8)) }
  }
}
