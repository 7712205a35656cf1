import Core
import Exporters

/// Notices about the feeds themselves, shown in the exported feed.
enum Notices {
  /// The ongoing outage and the open gaps, newest first.
  static func all(_ session: Session) -> [FeedNotice] {
    let memory = MemoryFile(session).read(at: session.now)
    var notices = session.state.openGaps.map { gap($0.id, $0.gap, session.state) }
    if let pause = memory.pause, pause.reason == .outage { notices.append(outage(pause)) }
    return notices.sorted { ($1.began, $0.id) < ($0.began, $1.id) }
  }

  private static func outage(_ pause: Pause) -> FeedNotice {
    FeedNotice(
      id: StableID.notice("outage \(pause.since.rfc3339)"), title: "YouTube's feeds are failing",
      text: """
        \(Words.stopped(.outage)). It began before \(pause.since.rfc3339). Videos found earlier are all here; videos \
        published since will appear when the feeds recover.
        """,
      link: "https://www.youtube.com/feed/subscriptions", began: pause.since)
  }

  private static func gap(_ id: EventID, _ gap: GapFound, _ state: State) -> FeedNotice {
    let title = state.channels[gap.subscription]?.title ?? gap.subscription.description
    return FeedNotice(
      id: StableID.notice("gap \(id)"), title: "\(title): some videos may be missing",
      text: """
        Between \(gap.after.rfc3339) and \(gap.before.rfc3339) it may have published more videos than its feed holds. \
        Its page lists them all; with a Data API key, metube-rss enrich --gaps adds them.
        """,
      link: gap.subscription.url, began: id.timestamp)
  }
}
