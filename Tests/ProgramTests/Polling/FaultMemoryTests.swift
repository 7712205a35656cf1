import FixtureServer
import Glibc
import TestSupport
import Testing

/// Ways in which the polling state file is damaged.
enum MemoryDamage: CaseIterable {
  case removed, emptied, cutInTheMiddle, cutAfterALine, lineAdded, firstByteFlipped, middleByteFlipped, lastByteFlipped

  /// The file with this damage; nil if removed.
  func done(to bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .removed: nil
    case .emptied: []
    case .cutInTheMiddle: Array(bytes.prefix(bytes.count / 2))
    case .cutAfterALine: Array(bytes.prefix(1 + (bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")) ?? 0)))
    case .lineAdded: bytes + Array("{}\n".utf8)
    case .firstByteFlipped: flipped(bytes, at: 0)
    case .middleByteFlipped: flipped(bytes, at: bytes.count / 2)
    case .lastByteFlipped: flipped(bytes, at: bytes.count - 2)
    }
  }

  private func flipped(_ bytes: [UInt8], at position: Int) -> [UInt8] {
    var bytes = bytes
    bytes[position] ^= 1
    return bytes
  }
}

@Suite("With the polling state lost or damaged")
struct FaultMemoryTests {
  private let sandbox: Sandbox
  private let channels: [SyntheticChannel]

  init() throws {
    sandbox = try Sandbox()
    channels = try sandbox.follow(30)
    #expect(try sandbox.poll().new == 450)
    sandbox.server.forgetRequests()
  }

  private func befall(_ damage: MemoryDamage) throws {
    let bytes = try #require(sandbox.folder.read("state/poll"))
    if let damaged = damage.done(to: bytes) {
      sandbox.folder.write(damaged, to: "state/poll")
    } else {
      unlink(sandbox.folder.path + "/state/poll")
    }
  }

  @Test("the next poll says so, requests all, finds nothing twice and repairs it", arguments: MemoryDamage.allCases)
  func reported(damage: MemoryDamage) throws {
    try befall(damage)
    let polled = try sandbox.poll()
    let text = damage == .removed ? "missing" : "damaged"
    #expect(
      polled.reported == "metube-rss: \(sandbox.folder.path)/state/poll: polling state is \(text); the next poll "
        + "starts carefully, as after an outage\n")
    #expect(polled.checked == 30 && polled.new == 0 && polled.exit == 0)
    #expect(sandbox.server.requests.count == 30)
    let next = try sandbox.poll()
    #expect(next.notDue == 30 && next.reported?.isEmpty == true)
  }

  @Test(
    "an unreadable file is not taken for a damaged one", .enabled(if: Unprivileged.isPossible, "root needs setpriv"))
  func unreadable() throws {
    let unprivileged = try Unprivileged(sandbox)
    let path = "\(sandbox.folder.path)/state/poll"
    chmod(path, 0)
    let text = "polling state cannot be read (Permission denied); the next poll starts carefully, as after an outage"
    #expect(try unprivileged.run(["status"]).errors == "metube-rss: \(path): \(text)\n")
  }

  @Test("the next poll is as careful as after an outage: three requests, then three for the other kind of feed")
  func careful() throws {
    try befall(.cutInTheMiddle)
    sandbox.server.fail(.status(500), on: .all, times: .always)
    let polled = try sandbox.poll()
    #expect(polled.stopped == "outage" && polled.exit == 75)
    #expect(sandbox.server.requests.count <= 6)
    #expect(sandbox.server.requests.prefix(2).allSatisfy { $0.target.contains("channel_id") })
  }

  @Test("everything else works as before", arguments: ["list", "channels", "status"])
  func others(command: String) throws {
    try befall(.middleByteFlipped)
    #expect(try sandbox.run(command).status == 0)
    #expect(try sandbox.everything().count == 450)
  }
}
