import Core
import SlowFold
import Testing

@testable import ReadModel

/// One sequence of API responses and marks for a video.
private struct Course {
  /// The Data API's responses at seconds 10, 20 and 30; nil if it says nothing about the video.
  var responses: [Live?]
  var status: Status?
  /// When the video is marked: before, between or after the responses.
  var marked: Int64
  /// When it began, according to the last response.
  var started: Int64?
  /// When it is scheduled to begin, according to the last response.
  var scheduled: Int64?

  static let now = Sample.start.adding(seconds: 100)

  /// Every combination.
  static let all: [Course] = {
    let lives: [Live?] = Live.allCases + [nil]
    var all: [Course] = []
    for first in lives {
      for second in lives {
        for third in lives {
          for status in Status.allCases + [nil] {
            for marked in [5, 15, 25, 35] as [Int64] where status != nil || marked == 5 {
              for started in [nil, 4, 24, 40] as [Int64?] {
                for scheduled in [nil, 50 - 86_400, 500] as [Int64?] {
                  all.append(
                    Course(
                      responses: [first, second, third], status: status, marked: marked, started: started,
                      scheduled: scheduled))
                }
              }
            }
          }
        }
      }
    }
    return all
  }()

  func events(_ number: UInt64) -> [Event] {
    func time(_ second: Int64?) -> Timestamp? { second.map { Sample.start.adding(seconds: $0) } }
    var events = [Sample.event(1, Sample.found(number))]
    for (index, live) in responses.enumerated() {
      let enriched = VideoEnriched(
        video: Sample.video(number), duration: nil, live: live, scheduled: time(scheduled), started: time(started))
      events.append(Sample.event(Int64(index + 1) * 10, .videoEnriched(enriched)))
    }
    if let status {
      let until = status == .snoozed ? time(99) : nil
      events.append(
        Sample.event(marked, .statusSet(StatusSet(video: Sample.video(number), status: status, until: until))))
    }
    return events
  }

  /// The live state in the last response that has one.
  private var live: Live { responses.compactMap(\.self).last ?? .unknown }

  /// The expected result: hidden until it can be watched, at most until a day after its start; then new, even if it was
  /// skipped before, but never if it was watched.
  var verdict: String {
    if status == .watched { return "watched" }
    if status == .skipped, !wasSkippedBeforeItCame || live == .upcoming || live == .unknown { return "skipped" }
    if live == .upcoming, scheduled.map({ 100 < $0 + 86_400 }) ?? true { return "upcoming" }
    return "new"
  }

  private var wasSkippedBeforeItCame: Bool {
    let known = responses.enumerated().filter { $0.element == .upcoming }.map { Int64($0.offset + 1) * 10 }
    guard known.contains(where: { $0 < marked }) else { return false }
    return known.contains { $0 > marked } || started.map { marked < $0 } ?? false
  }
}

@Test("Whatever the order of responses and marks, an upcoming video is hidden, then new, but never if it was watched")
func upcomingTable() throws {
  let courses = Course.all
  let events = courses.enumerated().map { $1.events(UInt64($0 + 1)) }
  let fold = SlowFold(events.flatMap(\.self))
  #expect(fold == SlowFold(events.flatMap { $0.reversed() }))
  let model = try ReadModel.empty()
  try model.apply(events.flatMap(\.self))
  let channel = SubscriptionID.channel(Sample.channel(1))
  let follow = ChannelFollowed(subscription: channel, title: nil, tags: nil)
  try model.apply([Sample.event(2, .channelFollowed(follow))])
  var query = VideoQuery(
    statuses: [.new], shorts: .show, upcoming: .hide, subscriptions: nil, tags: [], since: nil, until: nil,
    order: .published, oldestFirst: false, limit: 0)
  let listed = Set(try model.select(query, at: Course.now).ids)
  query.upcoming = .only
  let coming = Set(try model.select(query, at: Course.now).ids)
  var counts: [String: Int] = [:]
  for (number, course) in courses.enumerated() {
    let id = Sample.video(UInt64(number + 1))
    let status = try #require(try model.video(id)).status(at: Course.now)
    let verdict = listed.contains(id) ? "new" : coming.contains(id) ? "upcoming" : status.rawValue
    counts[verdict, default: 0] += 1
    if verdict != course.verdict { Issue.record("\(course): \(verdict), not \(course.verdict)") }
  }
  #expect(counts.count == 4 && counts.values.allSatisfy { $0 > 300 }, "\(counts)")
}
