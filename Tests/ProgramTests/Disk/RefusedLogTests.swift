import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("A poll whose log is not writable")
struct RefusedLogTests {
  private let sandbox: Sandbox
  private let channels: [SyntheticChannel]
  private let path: String

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.sendsETags = true
    channels = try sandbox.follow(20)
    #expect(try sandbox.poll().new == 300)
    path = "log/" + (try #require(sandbox.folder.names(in: "log").first))
    sandbox.server.forgetRequests()
  }

  /// Polls with file sizes limited to 8 KiB: the log is larger, the other files are not.
  private func pollWithoutRoom() throws -> Program.Outcome {
    let shell = Program(path: "/bin/sh", environment: sandbox.environment)
    return try shell.run(["-c", #"ulimit -f 16; exec "$0" poll --force --rate 0 --jobs 1"#, sandbox.program.path])
  }

  @Test(
    "because a line is damaged, or of a later version, requests nothing and ends with 74",
    arguments: [("\"kind\":\"channelFollowed\"", "\"kind\":\"channelFollows\"", "damaged"), ("", "", "later version")])
  func unwritable(what: String, instead: String, message: String) throws {
    var text = String(decoding: try #require(sandbox.folder.read(path)), as: UTF8.self)
    if what.isEmpty {
      // With a valid checksum, as from a later version: it covers the line up to the comma before it.
      text += Seal.line(#"{"v":99,"id":"0019a1b2c3d4e-0000-k3v9x2ap","kind":"later""#) + "\n"
    } else {
      text = text.split(separator: what, omittingEmptySubsequences: false).joined(separator: instead)
    }
    sandbox.folder.write(text.utf8, to: path)
    let outcome = try sandbox.run("poll", "--force", "--rate", "0")
    #expect(outcome.status == 74 && outcome.errors.contains(message), "\(outcome.errors)")
    #expect(sandbox.server.requests.isEmpty)
  }

  @Test("because it takes no more remembers that a server refused")
  func refusal() throws {
    sandbox.server.fail(.status(403), on: .all, times: .always)
    #expect(try pollWithoutRoom().status == 74)
    #expect(sandbox.server.requests.count == 1)
    let next = try sandbox.poll("--all")
    #expect(next.exit == 75 && next.pauseReason == "refused" && sandbox.server.requests.count == 1)
  }

  @Test("because it takes no more does not retry at once, and later finds what it could not store")
  func requested() throws {
    for channel in channels {
      var feed = channel.feed(generation: 0)
      feed.entries.insert(.of("newvideo\(channel.id.suffix(2))0", "New", published: 1_793_500_000), at: 0)
      feed.entries.removeLast()
      sandbox.server.serve(channel.id, .feed(feed.xml))
    }
    #expect(try pollWithoutRoom().status == 74)
    let count = sandbox.server.requests.count
    let next = try sandbox.poll("--all")
    #expect(next.notDue == 20 && sandbox.server.requests.count == count)
    #expect(try sandbox.poll("--force").new == 20)
  }
}
