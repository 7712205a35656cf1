import HubPage
import Terminal
import Testing

@testable import Core

/// Hostile titles, names, notes and addresses in every view.
@Suite("Hostile texts in every view")
struct HostileTextTests {
  private static let hostile = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&\u{0}\u{202e}<!--"
  private static let now = LocalTime.utc(Timestamp(seconds: 1_782_914_435))
  private let hostile = HostileTextTests.hostile

  private static var row: VideoRow {
    VideoRow(
      video: VideoID(bits: 0), channel: ChannelID(high: 0, low: 0), channelTitle: hostile, title: hostile,
      url: "javascript:alert(1)", published: Timestamp(seconds: 1_782_900_000),
      found: Timestamp(seconds: 1_782_900_000),
      status: .snoozed, snoozedUntil: Timestamp(seconds: 1_782_999_999), saved: true, short: .yes, live: .ended,
      durationSeconds: 61, tags: [hostile], thumbnail: "javascript:alert(1)", maybeUpcoming: true, progress: 30,
      description: nil, visiblyChanged: nil)
  }

  private static var unseen: VideoRow { VideoRow(unseen: Video(id: VideoID(bits: 1)), in: State(), at: now.time) }

  private static var channel: ChannelRow {
    ChannelRow(
      channel: .channel(ChannelID(high: 0, low: 0)), title: hostile, url: "javascript:alert(1)", tags: [hostile],
      feed: .channel, unwatched: 3, lastPublished: nil, lastChecked: nil,
      failingSince: Timestamp(seconds: 1_782_000_000), failures: 4, lastOutcome: hostile, verdict: .failing,
      shorts: .hide, live: .show, order: .newest, interval: 86_400, avatar: hostile)
  }

  private static var list: VideoList {
    VideoList([row, row], by: .channels, next: PagePath([hostile]), cursor: hostile, token: hostile)
  }

  private static var choices: [FeedView.Choice] {
    (0..<2).map { FeedView.Choice(hostile, PagePath([], query: [("tag", hostile)]), isChosen: $0 == 0) }
  }

  private static var bar: FilterBar {
    FilterBar(
      chips: FilterBar.Group(hostile, choices), groups: [FilterBar.Group(hostile, choices)],
      limits: FilterBar.Limits(
        path: PagePath([hostile]), others: [(hostile, hostile)], values: ["minDuration": hostile, "since": hostile]),
      filters: choices)
  }

  /// A frame with hostile parts around it.
  private static var frame: PageFrame {
    var frame = PageFrame(
      settings: .youTube, view: .feed, title: hostile, path: PagePath([hostile], query: [("q", hostile)]),
      notice: PageNotice(hostile, undo: hostile), now: now)
    (frame.search, frame.user) = (hostile, hostile)
    frame.channel = { _ in (hostile, true) }
    return frame
  }

  private static let views: [@Sendable (PageFrame) -> HTML] = [
    { frame in
      FeedView(
        list: list, summary: hostile, bar: bar, elsewhere: choices, hidden: choices, markAll: (PagePath([hostile]), 9),
        outage: hostile, checked: hostile, end: hostile
      ).html(in: frame)
    },
    { frame in
      ChannelsView(
        rows: [channel], unresolved: [hostile], bar: bar, checked: hostile, outage: hostile
      ).html(in: frame)
    },
    { frame in
      ChannelView(
        id: channel.channel, row: channel, chosenTitle: hostile, list: list, matching: 2, bar: bar, hidden: choices,
        knownTags: [hostile], older: hostile, speed: (own: hostile, usual: hostile)
      ).html(in: frame)
    },
    { frame in
      VideoView(
        row: row, description: "\(hostile) https://a.example/\(hostile)", note: "</textarea>\(hostile)",
        collections: [hostile], allCollections: [hostile], decisions: [(hostile, hostile)],
        otherList: PagePath([hostile]), facts: [(hostile, hostile)], history: [(hostile, hostile)], scheduled: nil,
        sharedTitle: nil, isFollowed: true
      ).html(in: frame)
    },
    { frame in
      VideoView(
        row: unseen, description: "", note: "", collections: [], allCollections: [], decisions: [], otherList: nil,
        facts: [], history: [], scheduled: nil, sharedTitle: hostile, isFollowed: false
      ).html(in: frame)
    },
    { PlainListView(list: list, summary: hostile, empty: hostile).html(in: $0) },
    {
      CollectionsView(
        rows: [CollectionsView.Row(name: hostile, count: 1, description: hostile, cover: [VideoID(bits: 0)])]).html(
          in: $0)
    },
    { CollectionView(name: hostile, description: hostile, list: list, count: 1).html(in: $0) },
    { frame in
      HistoryView(
        rows: [WatchedRow(watched: Timestamp(seconds: 0), row: row)], count: 1, next: PagePath([hostile]),
        token: hostile
      ).html(in: frame)
    },
    { frame in
      RulesView(
        rules: [RulesView.Line(id: hostile, text: hostile, effect: hostile)],
        form: ["contains": hostile, "matches": hostile], preview: RulesView.Preview(text: hostile, list: list),
        tags: [hostile], remark: (hostile, true)
      ).html(in: frame)
    },
    { frame in
      StatusView(
        damage: [hostile], outage: hostile, tiles: [StatusView.Tile(hostile, hostile, path: "/")], next: [hostile],
        failing: [channel],
        gaps: [hostile],
        runs: [
          StatusView.Run(
            ended: Timestamp(seconds: 0), checked: 1, new: 1, failed: 1, gaps: 1, took: hostile, end: hostile)
        ], remarks: [hostile]
      ).html(in: frame)
    },
    { frame in
      SettingsView(
        user: hostile,
        profile: SettingsView.Profile(
          person: person, displayName: hostile, chosen: "teal", colors: ["teal"], isAdministrator: true),
        sessions: [
          SettingsView.Session(id: hostile, agent: hostile, used: Timestamp(seconds: 0), isCurrent: false),
          SettingsView.Session(id: hostile, agent: "", used: Timestamp(seconds: 0), isCurrent: true),
        ], tokens: [SettingsView.Token(id: 1, name: hostile, mayWrite: true, used: nil, isOfDevice: true)],
        news: SettingsView.News(secret: hostile, code: hostile, password: .refused(hostile), profile: hostile),
        tags: [hostile],
        origin: "https://hub.example"
      ).html(in: frame)
    },
    { frame in
      let report = ImportView.Report(text: hostile, refused: [hostile], isDry: false, follows: true)
      return ImportView(report: report).html(in: frame)
    },
    { LoginView(name: hostile, problem: hostile, back: hostile).html(in: $0) },
    { WelcomeView().html(in: $0) },
    { ShareView(source: hostile, text: hostile).html(in: $0) },
    { ProblemView(text: hostile, video: nil, next: .views).html(in: $0) },
    { ProblemView(text: hostile, video: nil, next: .logIn).html(in: $0) },
    { UndoListView(rows: [UndoListView.Row(action: hostile, text: hostile, time: now.time)]).html(in: $0) },
    { frame in
      var news = UsersView.News(problem: hostile, name: hostile)
      (news.added, news.code, news.address) = (hostile, hostile, "https://hub.example/join")
      return UsersView(rows: [userRow], maySeveral: true, news: news).html(in: frame)
    },
    { frame in
      var news = UsersView.News()
      news.removed = (hostile, hostile)
      return UsersView(rows: [], maySeveral: false, news: news).html(in: frame)
    },
    { frame in
      UserView(
        row: userRow, limits: (1, 60),
        figures: UserView.Figures(subscriptions: 1, videos: 1, failing: 1, lastPoll: nil, damage: [hostile]),
        codeEnds: Timestamp(seconds: 0), isLastAdministrator: false, isShared: true,
        news: UserView.News(problem: hostile, code: hostile, address: "https://hub.example/join")
      ).html(in: frame)
    },
    { SwitchView(oneself: hostile, people: [person], chosen: nil, problem: hostile).html(in: $0) },
    { SwitchView(oneself: hostile, people: [], chosen: person, problem: hostile).html(in: $0) },
    { JoinView(code: hostile, problem: hostile).html(in: $0) },
    { UndoView(text: hostile, action: hostile, back: PagePath([hostile])).html(in: $0) },
  ]

  private static let person = Person(number: 1, name: hostile, shownName: "<" + hostile, color: "teal")
  private static let userRow = UsersView.Row(
    person: person, isAdministrator: true, isOneself: true, lastLogin: nil, disabled: Timestamp(seconds: 0), bytes: 1,
    damagedLogs: 2)

  @Test(
    "Storage is shown in three digits or fewer",
    arguments: [
      (999, "999 bytes"), (1499, "1 kB"), (1_250_000, "1.2 MB"), (12_500_000, "12 MB"), (3_400_000_000, "3.4 GB"),
    ] as [(UInt64, String)])
  func size(_ bytes: UInt64, _ text: String) { #expect(UsersView.size(bytes) == text) }

  @Test("No text becomes markup", arguments: HostileTextTests.views.indices)
  func escaped(_ index: Int) {
    let frame = HostileTextTests.frame
    let text = String(decoding: frame.document(HostileTextTests.views[index](frame)), as: UTF8.self)
    #expect(text.split(separator: "<script").count == 2, "only the page's own")
    for part in ["<img src=x", "<!--", "<script>alert", "href=\"javascript:", "\u{0}"] {
      #expect(!text.contains(part), "\(part)")
    }
    // A note of `</textarea>` ends nothing.
    #expect(text.split(separator: "</textarea>").count <= 2)
    for attribute in ["onerror=alert(1)>", "'>"] where text.contains(attribute) {
      #expect(!text.contains("<img src=x \(attribute)"))
    }
  }

  @Test("Titles may run from right to left without their surroundings")
  func direction() {
    let frame = HostileTextTests.frame
    let text = String(decoding: frame.document(HostileTextTests.views[0](frame)), as: UTF8.self)
    #expect(text.contains("<h3 id=\"t-\(VideoID(bits: 0))\" dir=\"auto\">"))
    #expect(text.contains("height=\"24\" loading=\"lazy\" decoding=\"async\"><span dir=\"auto\">"))
  }
}
