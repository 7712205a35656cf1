import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("While a poll runs")
struct PollRunningTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(6)
  }

  /// Starts a poll that requests one feed at a time, and waits until this many requests have arrived, of which the last
  /// is not answered before `responseLimit` is raised.
  private func startPoll(until questions: Int) throws -> Running {
    sandbox.server.responseLimit = questions - 1
    let running = try sandbox.program.start(["poll", "--rate", "0", "--jobs", "1"])
    wait { sandbox.server.requests.count >= questions }
    try #require(sandbox.server.requests.count >= questions)
    return running
  }

  @Test("a second one ends at once with 75 and names the first")
  func second() throws {
    let running = try startPoll(until: 1)
    let second = try sandbox.run("poll")
    #expect(second.status == 75)
    #expect(second.errors.contains("metube-rss poll (process \(running.process)) is still running"))
    sandbox.server.responseLimit = .max
    #expect(try running.finish().status == 0)
    #expect(try sandbox.everything().count == 90)
  }

  @Test("a lock with an unknown holder is reported as held")
  func lockOfUnknownHolder() throws {
    let path = sandbox.folder.path + "/state/poll.lock"
    try sandbox.succeed("poll", "--rate", "0")
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ftruncate(descriptor, 0) == 0)
    let outcome = try sandbox.run("poll")
    #expect(outcome.status == 75)
    #expect(outcome.errors == "metube-rss: another program has locked \(path); try again\n")
  }

  @Test("all other commands work")
  func others() throws {
    let running = try startPoll(until: 2)
    try sandbox.succeed("follow", "UCAAAAAAAAAAAAAAAAAAAAAA")
    try sandbox.succeed("channels")
    try sandbox.succeed("list")
    sandbox.server.responseLimit = .max
    #expect(try running.finish().status == 0)
    #expect(try sandbox.run("channels", "--format", "ids").lines.count == 7)
  }

  @Test("an interrupt ends it with the results so far, and the next one gets the rest", arguments: [SIGINT, SIGTERM])
  func interrupt(signal: Int32) throws {
    let running = try startPoll(until: 3)
    running.signal(signal)
    let outcome = try running.finish()
    #expect(outcome.status == 1 && outcome.text.contains("stopped: interrupted"))
    #expect(try sandbox.everything().count == 30)
    sandbox.server.responseLimit = .max
    #expect(try sandbox.poll().checked == 4)
    #expect(try sandbox.everything().count == 90)
  }

  @Test("a signal that was ignored when it began, as under nohup, does not stop it")
  func ignored() throws {
    sandbox.server.responseLimit = 1
    var shell = sandbox.program
    let path = shell.path
    shell.path = "/bin/sh"
    let running = try shell.start(["-c", "trap '' HUP; exec \(path) poll --rate 0 --jobs 1"])
    wait { sandbox.server.requests.count >= 2 }
    running.signal(SIGHUP)
    sandbox.server.responseLimit = .max
    #expect(try running.finish().status == 0)
    #expect(try sandbox.everything().count == 90)
  }

  @Test("an interrupt does not wait for hanging feeds, and blames none of them", arguments: [1, 6])
  func interruptHang(jobs: Int) throws {
    sandbox.server.fail(.hangBeforeResponse, on: .all, times: .always)
    let running = try sandbox.program.start(["poll", "--rate", "0", "--jobs", "\(jobs)"])
    wait { sandbox.server.requests.count >= jobs }
    running.signal(SIGINT)
    let outcome = try running.finish()
    #expect(outcome.status == 1 && outcome.errors.isEmpty)
    #expect(outcome.text.contains("interrupted; results so far were saved; 6 not checked"))
    sandbox.server.heal()
    #expect(try sandbox.poll().new == 90)
  }

  /// Makes a followed name's page hang, which a poll requests before the feeds.
  private func hangName() throws {
    try sandbox.succeed("follow", "@lamps")
    sandbox.server.fail(.hangBeforeResponse, on: .key("/@lamps"), times: .always)
  }

  @Test("an interrupt during a name lookup ends it there, and says so")
  func interruptName() throws {
    try hangName()
    let running = try startPoll(until: 1)
    running.signal(SIGINT)
    let outcome = try running.finish()
    #expect(outcome.status == 1)
    #expect(outcome.text.contains("interrupted; results so far were saved; 6 not checked, 1 handle not yet looked up"))
    #expect(sandbox.server.requests.count == 1)
  }

  /// Polls with a deadline that is long enough for the first request to be sent.
  private func pollToDeadline() throws -> Program.Outcome {
    for seconds in [1, 4, 16, 64] {
      let outcome = try sandbox.program.run(["poll", "--rate", "0", "--deadline", "\(seconds)"])
      if !sandbox.server.requests.isEmpty { return outcome }
    }
    return try sandbox.program.run(["poll", "--rate", "0", "--deadline", "240"])
  }

  @Test("its deadline also covers name lookups")
  func deadlineName() throws {
    try hangName()
    let outcome = try pollToDeadline()
    #expect(outcome.status == 1 && outcome.text.contains("the deadline passed; 6 not checked"))
    #expect(sandbox.server.requests.count == 1)
  }

  @Test("its deadline makes it incomplete if a name was all it had to look up")
  func deadlineNameAlone() throws {
    _ = try sandbox.poll()
    sandbox.server.forgetRequests()
    try hangName()
    let outcome = try pollToDeadline()
    #expect(outcome.status == 1 && outcome.text.contains("the deadline passed; 1 handle not yet looked up"))
    #expect(sandbox.server.requests.count == 1)
  }

  @Test("an interrupt during a separate name lookup makes that incomplete")
  func interruptResolving() throws {
    try hangName()
    let running = try sandbox.program.start(["channels", "--resolve"])
    wait { !sandbox.server.requests.isEmpty }
    running.signal(SIGINT)
    let outcome = try running.finish()
    #expect(outcome.status == 1 && outcome.text.contains("1 handle not yet looked up"))
  }

  @Test("killing it loses nothing found, and the next one finds nothing twice")
  func kill() throws {
    let running = try startPoll(until: 3)
    running.signal(SIGKILL)
    #expect(try running.finish().status == nil)
    sandbox.server.responseLimit = .max
    _ = try sandbox.poll("--force")
    let videos = try sandbox.everything()
    #expect(videos.count == 90 && sandbox.events("videoFound").count == 90)
  }
}
