import FixtureServer
import Testing

/// How many of a person's channels meet a fault.
enum FaultReach: CaseIterable, CustomTestStringConvertible {
  case theOnlyOne, oneOfThree, threeOfSixty, all

  /// Channels that are followed.
  var channels: Int {
    switch self {
    case .theOnlyOne: 1
    case .oneOfThree: 3
    case .threeOfSixty, .all: 60
    }
  }

  /// How many of them meet it.
  var hit: Int {
    switch self {
    case .theOnlyOne, .oneOfThree: 1
    case .threeOfSixty: 3
    case .all: 60
    }
  }

  var testDescription: String { "\(hit) of \(channels)" }
}

/// A poll that was well, every channel then publishing one more video while some meet a fault.
@Suite("A fault")
struct FaultTests {
  private let sandbox: Sandbox
  /// Where a redirect leads astray: another host, though it is this machine by another name.
  private static let elsewhere = Result { try FixtureServer.start(port: 0) }

  init() throws { sandbox = try Sandbox() }

  private static var faults: [PollFault] {
    let port = (try? elsewhere.get().port) ?? 0
    return PollFault.all(elsewhere: "http://localhost:\(port)/feeds/videos.xml")
  }

  @Test("costs no other channel anything, blames whom it should, and heals", arguments: faults, FaultReach.allCases)
  func fault(fault: PollFault, reach: FaultReach) throws {
    let scene = try FaultScene(sandbox, reach)
    sandbox.environment["METUBE_RSS_TIMEOUT"] = fault.timeout
    scene.strike(fault)
    let polled = try sandbox.poll("--force")

    if case .refusal(let reason) = fault.course {
      try scene.expectRefusal(polled, reason)
    } else if reach.hit == reach.channels {
      try scene.expectOutage(polled, fault)
    } else {
      try scene.expectBlame(polled, fault)
    }
    #expect(try Self.elsewhere.get().requests.isEmpty)
    try scene.expectHealing()
  }

  @Test(
    "that only makes an answer slow or oddly cut is none",
    arguments: [Fault.chunked(size: 333), .drip(bytesPerSecond: 20_000)])
  func slow(fault: Fault) throws {
    let scene = try FaultScene(sandbox, .oneOfThree)
    sandbox.server.fail(fault, on: .all, times: .always)
    let polled = try sandbox.poll("--force")
    #expect(polled.new == 3 && polled.exit == 0)
    try scene.expectHealing()
  }
}
