import FixtureServer
import Glibc
import Synchronization
import TestSupport
import Testing

/// What people follow at a simulated YouTube, and how its lists lie.
final class AccountLists: Sendable {
  private let lists = Mutex<[String: DataAPI.AccountList]>([:])
  private let login: GoogleLogin
  /// Whose requests wait, until it is somebody else.
  let hanging = Mutex<String?>(nil)

  init(_ login: GoogleLogin) { self.login = login }

  /// Serves a login and the lists.
  func serve(by server: FixtureServer) {
    server.serve(login)
    var data = DataAPI(key: "unused") { _ in nil }
    data.isValid = { [login] in login.isValid($0) }
    data.list = { [self] token in
      let person = login.person(of: token) ?? ""
      while hanging.withLock({ $0 == person }) { usleep(10_000) }
      return lists.withLock { $0[person] }
    }
    server.serve(data)
  }

  /// Has a person follow some of the synthetic channels.
  func set(_ numbers: some Sequence<Int>, of person: String = "", total: Int? = nil) {
    let list = DataAPI.AccountList(
      own: AccountLists.own(person), subscriptions: numbers.map(AccountLists.subscription), total: total)
    lists.withLock { $0[person] = list }
  }

  private static func subscription(_ number: Int) -> DataAPI.Subscription {
    let channel = SyntheticChannel(number: number)
    return DataAPI.Subscription(channel: channel.id, title: channel.title)
  }

  /// The own channel of a person.
  static func own(_ person: String) -> String { SyntheticChannel(number: 9000 + person.utf8.count).id }
}

/// `import google --unfollow`, against a simulated login and Data API.
@Suite("Synchronising with a Google account in the terminal")
struct AccountSyncTests {
  private let sandbox: Sandbox
  private let login = GoogleLogin(client: "the-client", secret: "the-client-secret")
  private let lists: AccountLists

  init() throws {
    sandbox = try Sandbox()
    sandbox.environment["METUBE_RSS_GOOGLE_CLIENT_ID"] = "the-client"
    sandbox.environment["METUBE_RSS_GOOGLE_CLIENT_SECRET"] = "the-client-secret"
    sandbox.environment["METUBE_RSS_GOOGLE_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    lists = AccountLists(login)
    lists.serve(by: sandbox.server)
    lists.set(0..<10)
    let outcome = try sandbox.run("login", "google", "--device")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private var followed: Set<String> {
    get throws { Set(try sandbox.succeed("channels", "--format", "ids").split(separator: "\n").map(String.init)) }
  }

  private func ids(_ numbers: some Sequence<Int>) -> Set<String> {
    Set(numbers.map { SyntheticChannel(number: $0).id })
  }

  private func synchronise(_ more: String...) throws -> Program.Outcome {
    try sandbox.program.run(["import", "google", "--unfollow"] + more)
  }

  @Test("Follows and unfollows as the account did, in one action that undo takes back for good")
  func unfollow() throws {
    let own = SyntheticChannel(number: 70)
    try sandbox.succeed("follow", own.id)
    let first = try synchronise()
    #expect(
      first.status == 0 && first.text.hasPrefix("google: 10 read, 10 followed, 0 unfollowed\n"), "\(first.errors)")
    #expect(sandbox.server.unitsRequested == 2, "a page, and the own channel")
    #expect(
      sandbox.events("channelFollowed").count { $0.contains("\"source\":\"google:\(AccountLists.own(""))\"") } == 10)
    lists.set((1..<10).map { $0 } + [20])
    let second = try synchronise()
    #expect(second.text.hasPrefix("google: 10 read, 1 followed, 1 unfollowed\n"), "\(second.text)\(second.errors)")
    #expect(try followed == ids([1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 70]))
    #expect(sandbox.server.unitsRequested == 3)
    #expect(try sandbox.run("undo", "--yes").status == 0)
    #expect(try followed == ids(Array(0..<10) + [70]))
    // What undo brought back is the person's own, and what it took away stays away.
    let third = try synchronise()
    #expect(third.text == "google: 10 read, 0 followed, 0 unfollowed\n", "\(third.text)\(third.errors)")
    #expect(try followed == ids(Array(0..<10) + [70]))
  }

  @Test("Never unfollows what was followed by hand, and never follows again what was unfollowed here")
  func byHand() throws {
    try sandbox.succeed("follow", SyntheticChannel(number: 3).id)
    #expect(try synchronise().status == 0)
    try sandbox.succeed("unfollow", SyntheticChannel(number: 5).id)
    lists.set([0, 1, 2, 4, 5, 6, 7, 8, 9])
    #expect(try synchronise().text == "google: 9 read, 0 followed, 0 unfollowed\n")
    #expect(try followed == ids([0, 1, 2, 3, 4, 6, 7, 8, 9]))
  }

  @Test(
    "An empty, a cut and a halved list unfollow nothing without a yes",
    arguments: [
      ([], nil, "list is empty, which would unfollow 10 channels of the 10 that came from the account"),
      (Array(0..<7), 10, "list has 7 of 10 channels, which would unfollow 3 channels of the 10"),
      (Array(0..<5), nil, "list has only 5 channels, which would unfollow 5 channels of the 10"),
    ] as [([Int], Int?, String)])
  func doubt(_ numbers: [Int], _ total: Int?, _ text: String) throws {
    #expect(try synchronise().status == 0)
    lists.set(numbers, total: total)
    let refused = try synchronise()
    #expect(
      refused.status == 64 && refused.errors.contains(text) && refused.errors.contains("use --yes"), "\(refused)")
    #expect(try followed == ids(0..<10))
    // A list that is whole again asks nothing.
    lists.set(0..<10)
    #expect(try synchronise().text == "google: 10 read, 0 followed, 0 unfollowed\n")
    lists.set(numbers, total: total)
    let confirmed = try synchronise("--yes")
    #expect(
      confirmed.status == 0 && confirmed.text.contains("google: \(10 - numbers.count) unfollowed\n"), "\(confirmed)")
    #expect(try followed == ids(numbers))
    #expect(try sandbox.run("undo", "--yes").status == 0)
    #expect(try followed == ids(0..<10), "undo takes it back at once")
    #expect(try synchronise().status == 0, "channels that are followed by hand now raise no question")
    #expect(try followed == ids(0..<10))
  }

  @Test("A page that fails, lies or loops changes nothing")
  func pages() throws {
    lists.set(0..<120)
    #expect(try synchronise().status == 0)
    lists.set(1..<121)
    let first = "/youtube/v3/subscriptions?part=snippet&mine=true&maxResults=50&order=alphabetical"
    let loop = #"{"kind":"youtube#subscriptionListResponse","nextPageToken":"to50","items":[]}"#
    for fault in [
      Fault.status(500), .response(.json("{\"kind\":\"youtube#channelListResponse\"}", status: 200)),
      .response(.json("[", status: 200)), .response(.json(loop, status: 200)), .truncatedBody, .reset,
    ] {
      sandbox.server.heal()
      sandbox.server.fail(fault, on: .key(first + "&pageToken=to50"), times: .always)
      let outcome = try synchronise()
      #expect(outcome.status == 75, "\(fault): \(outcome)")
      #expect(try followed == ids(0..<120))
    }
    sandbox.server.heal()
    #expect(try synchronise().text.hasPrefix("google: 120 read, 1 followed, 1 unfollowed\n"))
  }

  @Test("A withdrawn login is one message, and no request after the first")
  func withdrawn() throws {
    #expect(try synchronise().status == 0)
    login.revoke(login: true)
    let first = try synchronise()
    #expect(first.status == 69 && first.errors.contains("run metube-rss login google again"), "\(first.errors)")
    let requests = sandbox.server.requests.count
    #expect(try synchronise().errors == first.errors && sandbox.server.requests.count == requests)
    #expect(try sandbox.run("login", "google", "--device").status == 0)
    #expect(try synchronise().status == 0)
  }

  @Test("Another account's list unfollows nothing of the first one's")
  func another() throws {
    #expect(try synchronise().status == 0)
    login.person = "another"
    lists.set(20..<22, of: "another")
    #expect(try sandbox.run("login", "google", "--device").status == 0)
    #expect(try synchronise().text.hasPrefix("google: 2 read, 2 followed, 0 unfollowed\n"))
    #expect(try followed == ids(Array(0..<10) + [20, 21]))
  }

  @Test("The videos of the own channel are hidden by a rule, once")
  func ownUploads() throws {
    let own = SyntheticChannel(number: 9000)
    #expect(AccountLists.own("") == own.id)
    sandbox.server.serve(own.id, .feed(own.feed(generation: 0).xml))
    try sandbox.succeed("follow", own.id)
    #expect(try sandbox.poll(own.id).new > 0)
    #expect(try !sandbox.list("--channel", own.id).isEmpty)
    #expect(try synchronise().status == 0)
    #expect(try sandbox.list("--channel", own.id).isEmpty)
    let rule = try #require(sandbox.events("ruleSet").first?.firstMatch(of: /"rule":"([^"]+)"/)).output.1
    try sandbox.succeed("rule", "remove", String(rule))
    #expect(try synchronise().status == 0)
    #expect(try !sandbox.list("--channel", own.id).isEmpty, "a person who removes the rule wants to see them")
  }

  @Test("METUBE_RSS_GOOGLE_SYNC synchronises after a poll, once a day, and asks nothing")
  func daily() throws {
    sandbox.environment["METUBE_RSS_GOOGLE_SYNC"] = "perhaps"
    #expect(try sandbox.run("poll").errors.contains("METUBE_RSS_GOOGLE_SYNC"))
    sandbox.environment["METUBE_RSS_GOOGLE_SYNC"] = "yes"
    let first = try sandbox.run("poll", "--quiet")
    #expect(first.errors == "metube-rss: google: 10 read, 10 followed, 0 unfollowed\n")
    #expect(try followed == ids(0..<10))
    let units = sandbox.server.unitsRequested
    lists.set([Int]())
    for number in 0..<10 {
      let channel = SyntheticChannel(number: number)
      sandbox.server.serve(channel.id, .feed(channel.feed(generation: 0).xml))
    }
    #expect(try sandbox.run("poll", "--quiet", "--rate", "0").errors.isEmpty)
    #expect(sandbox.server.unitsRequested == units, "not before tomorrow")
    unlink(sandbox.folder.path + "/state/google-sync")
    let asked = try sandbox.run("poll", "--quiet", "--rate", "0")
    #expect(
      asked.status == 0 && asked.errors.contains("nothing was unfollowed: run metube-rss import google --unfollow"))
    #expect(try followed == ids(0..<10))
  }

  @Test("Options that do not belong to --unfollow are refused")
  func options() throws {
    for arguments in [["x.opml"], ["google", "--dry-run"], ["google", "--tag", "a"], ["google", "x"]] {
      #expect(try sandbox.program.run(["import", "--unfollow"] + arguments).status == 64)
    }
    #expect(try sandbox.run("import", "google", "--yes").status == 64)
    let json = try synchronise("--format", "json")
    #expect(json.text.contains("\"read\":10,\"new\":10,\"unfollowed\":0"), "\(json.text)")
  }
}
