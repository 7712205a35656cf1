import FixtureServer
import Glibc
import JSON
import TestSupport
import Testing

/// A hub that is killed while three clients of two users mark, a few times; `scripts/hub-kill-sweep.py` does it hundreds
/// of times, with polls and restored backups.
@Suite("A hub killed at any moment")
struct HubKillTests {
  private let sandbox: Sandbox
  private let clients: [Client]
  private static let channel = "UCsXVk37bltHxD1rDPwtNM8Q"

  /// A client that marks videos of its own.
  private struct Client {
    let user: String
    let header: String
    var videos: ArraySlice<String>
  }

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("follow", HubKillTests.channel)
    try sandbox.succeed("poll", "--rate", "0")
    // Users who have videos from the first.
    for user in ["ann", "bob"] { try sandbox.addUser(user, "--from", sandbox.folder.path) }
    let videos = try sandbox.everything().map(\.video)
    let half = videos.count / 2
    let (ann, bob) = (try sandbox.bearer("ann"), try sandbox.bearer("bob"))
    clients = [
      Client(user: "ann", header: ann, videos: videos[..<half]),
      Client(user: "ann", header: ann, videos: videos[half...]), Client(user: "bob", header: bob, videos: videos[...]),
    ]
  }

  private static func request(_ hub: RunningHub, _ client: Client, _ video: String, _ note: String) -> [UInt8] {
    let body = #"{"marks":[{"video":"\#(video)","note":"\#(note)"}]}"#
    let head =
      "POST /api/v1/marks HTTP/1.1\r\nHost: \(hub.host)\r\nContent-Type: application/json\r\n\(client.header)\r\n"
    return Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }

  /// The note and the number of each of a user's videos.
  private func shown(_ hub: RunningHub, _ client: Client) throws -> [String: (note: String?, number: Int)] {
    var shown: [String: (note: String?, number: Int)] = [:]
    for video in client.videos {
      let details = try hub.get("/api/v1/videos/\(video)", client.header).json
      shown[video] = (details["note"]?.string, Int(try #require(details["number"]?.number)))
    }
    return shown
  }

  @Test("What it acknowledged is there afterwards, once, in that user's log alone, and numbers stay")
  func killed() throws {
    /// By client and video the notes that the log may have: the last one acknowledged, or none, and one sent since.
    var possible = [[String: [String?]]](repeating: [:], count: clients.count)
    var numbers = [[String: Int]](repeating: [:], count: clients.count)
    for round in 0..<5 {
      var hub = try sandbox.runHub()
      let connections = try clients.map { _ in try HubConnection(hub.port) }
      let last = Int.random(in: 1...6)
      for step in 0...last {
        var sent: [(video: String, note: String)] = []
        for (index, client) in clients.enumerated() {
          let (video, note) = (try #require(client.videos.randomElement()), "\(client.user) \(round) \(step) \(index)")
          connections[index].write(HubKillTests.request(hub, client, video, note))
          possible[index][video, default: [nil]].append(note)
          sent.append((video, note))
        }
        if step == last {
          usleep(.random(in: 0...10_000))
          hub.kill()
        }
        for (index, connection) in connections.enumerated() {
          let isAcknowledged = connection.read(until: "\"unknown\":").contains("\"changed\":1")
          #expect(isAcknowledged || step == last)
          if isAcknowledged { possible[index][sent[index].video] = [sent[index].note] }
        }
      }
      try disturb(round)
      hub = try sandbox.runHub()
      for (index, client) in clients.enumerated() {
        for (video, found) in try shown(hub, client) {
          let allowed = possible[index][video] ?? [nil]
          #expect(allowed.contains(found.note), "\(client.user) \(video): \(allowed)")
          possible[index][video] = [found.note]
          #expect(numbers[index][video] ?? found.number == found.number, "\(video) has another number")
          numbers[index][video] = found.number
        }
      }
      _ = try hub.end()
      for user in ["ann", "bob"] {
        #expect(try sandbox.run("log", "verify", "--home", "\(sandbox.hubData)/users/\(user)").status == 0)
        let other = user == "ann" ? "bob" : "ann"
        let notes = sandbox.lines("hub/users/\(user)").filter { $0.contains("\"kind\":\"noteSet\"") }
        #expect(!notes.contains { $0.contains("\"text\":\"\(other)") })
      }
    }
  }

  /// What may happen to the files of a hub that does not run.
  private func disturb(_ round: Int) throws {
    for user in ["ann", "bob"] {
      let home = "\(sandbox.hubData)/users/\(user)"
      switch round {
      case 1: _ = try Program(path: "/bin/rm", environment: [:]).run(["-rf", home + "/cache"])
      case 2: #expect(try sandbox.run("log", "compact", "--home", home).status == 0)
      default: break
      }
    }
  }
}
