import Core
import SlowCheck
import Testing

@testable import ReadModel

/// A list that is read page by page while much happens.
private struct Reading {
  private let made: GeneratedModel
  private let question: GeneratedQuery
  /// What the list had when it was begun.
  private let first: [VideoID]
  /// Of that, what was in the list all the time.
  private var stayed: Set<VideoID>
  private var shown: [VideoID] = []

  init(_ question: GeneratedQuery, seed: UInt64, _ way: GeneratedModel.Way, videos: Int) throws {
    made = try GeneratedModel(seed: seed, way, videos: videos)
    self.question = question
    first = made.result(self.question)
    stayed = Set(first)
  }

  mutating func read() throws {
    var (cursor, pages) = (PageCursor?.none, 0)
    repeat {
      let page = try made.select(question, after: cursor)
      let listed = Set(made.result(question))
      #expect(page.ids.allSatisfy(listed.contains), "page \(pages) has what does not match any more")
      shown += page.ids
      cursor = page.next.flatMap { PageCursor($0.description) }
      #expect(cursor == page.next)
      pages += 1
      try goOn(page.ids, pages)
      stayed.formIntersection(made.result(question))
    } while cursor != nil && pages < 1000
    #expect(cursor == nil)
    #expect(pages > 2 && stayed.count > 4)
    // Where the position of a video depends on others, what is marked moves them.
    guard question.mode == .byTime else { return }
    #expect(shown.count == Set(shown).count, "\(shown.count - Set(shown).count) came twice")
    let (came, were) = (shown.filter(stayed.contains), first.filter(stayed.contains))
    #expect(came == were, "\(Set(were).subtracting(came).count) of \(were.count) left out")
  }

  /// Videos arrive, old ones are marked, changed and removed, rules are made, a channel is unfollowed, and of the page
  /// much is marked or gone: its last video always.
  private func goOn(_ page: [VideoID], _ pages: Int) throws {
    made.change { log in
      for video in page where log.once(in: 2) || video == page.last {
        switch log.number(below: 4) {
        case 0: log.add(.videoRemoved(VideoRemoved(video: video, removed: true)))
        case 1: log.add(.statusSet(StatusSet(video: video, status: .snoozed, until: RandomLog.now)))
        case 2: log.add(.statusSet(StatusSet(video: video, status: .skipped)))
        default: log.add(.statusSet(StatusSet(video: video, status: .watched)))
        }
      }
      let channel = SubscriptionID.channel(RandomLog.channel(UInt64(pages % 20)))
      if pages % 3 == 0 { log.add(.channelUnfollowed(channel)) }
      if pages % 3 == 1 {
        log.add(.channelFollowed(ChannelFollowed(subscription: channel, title: nil, tags: ["science"])))
      }
      if pages % 4 == 2 { log.add(.ruleRemoved(RuleRemoved(rule: "00000002-aaaa"))) }
    }
    try made.goOn(videos: 40)
  }
}

/// A question with a mode, and sometimes with more to it.
private func question(_ mode: GeneratedQuery.Mode, _ number: Int) -> GeneratedQuery {
  var question = GeneratedQuery()
  question.mode = mode
  question.limit = GeneratedModel.isLarge ? 3000 : 17
  if mode == .byTime { (question.byFound, question.oldest) = (number % 2 == 1, number / 2 % 2 == 1) }
  // With these numbers the rules hide nearly everything.
  question.noRules = number <= 2
  if number % 5 == 3 { question.tags = ["science"] }
  if number % 5 == 4 { question.search = "a" }
  return question
}

@Suite("Pages while videos arrive")
struct ArrivalTests {
  @Test(
    "No page by time repeats or leaves out what stays in the list, whatever arrives, is marked, removed or unfollowed",
    arguments: GeneratedQuery.Mode.allCases, GeneratedModel.isLarge ? [2] : Array(1...5))
  func pages(mode: GeneratedQuery.Mode, seed: Int) throws {
    let way: GeneratedModel.Way = seed % 2 == 0 && !TestEngine.isPostgres ? .file : .memory
    let videos = GeneratedModel.isLarge ? 50_000 : 1100
    var reading = try Reading(question(mode, seed), seed: UInt64(seed), way, videos: videos)
    try reading.read()
  }
}
