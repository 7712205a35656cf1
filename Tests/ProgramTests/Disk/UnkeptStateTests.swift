import FixtureServer
import Glibc
import Testing

@Suite("A poll whose state file cannot be written")
struct UnkeptStateTests {
  @Test("tells, exports and hands on what it found, and ends with 74")
  func unkept() throws {
    let sandbox = try Sandbox()
    try sandbox.follow(2)
    mkdir(sandbox.folder.path + "/state/poll.new", 0o700)
    sandbox.environment["METUBE_RSS_EXPORT"] = "atom --output \(sandbox.folder.path)/all.atom"
    sandbox.environment["METUBE_RSS_ON_NEW"] = "tee \(sandbox.folder.path)/seen"
    let polled = try sandbox.poll()
    #expect(polled.exit == 74 && polled.new == 30)
    let told = try #require(polled.told)
    #expect(told.contains("/state/poll.new: ") && told.contains("what was found is kept, but not what was asked when"))
    #expect(!told.contains("nothing of this was done"))
    #expect(sandbox.folder.read("all.atom") != nil && sandbox.folder.read("seen") != nil)
    rmdir(sandbox.folder.path + "/state/poll.new")
    #expect(try sandbox.poll().exit == 0)
  }
}
