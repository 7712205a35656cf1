import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("A poll whose state file is not writable")
struct UnkeptStateTests {
  @Test("reports, exports and passes on what it found, and ends with 74")
  func unkept() throws {
    let sandbox = try Sandbox()
    let channel = SyntheticChannel(number: 0)
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, []).xml))
    try sandbox.succeed("follow", channel.id)
    _ = try sandbox.poll()
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, threeVideos).xml))
    mkdir(sandbox.folder.path + "/state/poll.new", 0o700)
    sandbox.environment["METUBE_RSS_EXPORT"] = "atom --output \(sandbox.folder.path)/all.atom"
    sandbox.environment["METUBE_RSS_ON_NEW"] = "tee \(sandbox.folder.path)/seen"
    let polled = try sandbox.poll("--force")
    #expect(polled.exit == 74 && polled.new == 3)
    let reported = try #require(polled.reported)
    #expect(
      reported.contains("/state/poll.new: ") && reported.contains("the polling state is not saved")
        && reported.contains("the videos are saved"))
    #expect(!reported.contains("nothing was changed"))
    #expect(sandbox.folder.read("all.atom") != nil && sandbox.folder.read("seen") != nil)
    rmdir(sandbox.folder.path + "/state/poll.new")
    #expect(try sandbox.poll().exit == 0)
  }
}
