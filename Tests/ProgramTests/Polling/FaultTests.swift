import FixtureServer
import Testing

/// How many of a user's channels meet a fault.
enum FaultReach: CaseIterable, CustomTestStringConvertible {
  case theOnlyOne, oneOfThree, threeOfSixty, all

  /// The number of followed channels.
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

/// A successful poll, after which every channel publishes one more video while some meet a fault.
@Suite("A fault")
struct FaultTests {
  private let sandbox: Sandbox
  /// The target of a redirect to another host, though it is this machine under another name.
  private static let elsewhere = Result { try FixtureServer.start(port: 0) }

  init() throws { sandbox = try Sandbox() }

  private static var faults: [PollFault] {
    let port = (try? elsewhere.get().port) ?? 0
    return PollFault.all(elsewhere: "http://localhost:\(port)/feeds/videos.xml")
  }

  @Test("costs no other channel anything, blames the right ones, and heals", arguments: faults, FaultReach.allCases)
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
    "that only makes a response slow or oddly split is not a failure",
    arguments: [Fault.chunked(size: 333), .drip(bytesPerSecond: 20_000)])
  func slow(fault: Fault) throws {
    let scene = try FaultScene(sandbox, .oneOfThree)
    sandbox.server.fail(fault, on: .all, times: .always)
    let polled = try sandbox.poll("--force")
    #expect(polled.new == 3 && polled.exit == 0)
    try scene.expectHealing()
  }
}
