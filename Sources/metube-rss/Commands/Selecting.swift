import Core
import EventLog

/// Selects videos for a command.
struct Selecting {
  private let session: Session

  init(_ session: Session) { self.session = session }

  /// The query behind the filter options, of every status, the newest first, without a limit.
  func query(_ options: FilterOptions) throws -> VideoQuery {
    let names = ChannelNames(session.state)
    let subscriptions = try options.channel.map { try names.resolve($0) }
    var query = VideoQuery(
      statuses: nil, shorts: options.shorts, upcoming: options.upcoming,
      subscriptions: subscriptions.isEmpty ? nil : Set(subscriptions), tags: Set(options.tag),
      since: try options.since.map { try Moment($0, before: session.now, option: "--since").time },
      until: try options.until.map { try Moment($0, before: session.now, option: "--until").time },
      order: .published, oldestFirst: false, limit: 0)
    query.savedOnly = options.saved
    query.streamsOnly = options.live
    query.minimumLength = try options.minDuration.map { try Length($0, option: "--min-duration").seconds }
    query.maximumLength = try options.maxDuration.map { try Length($0, option: "--max-duration").seconds }
    return query
  }

  /// The videos a query asks for whose title, channel or description holds every word searched for.
  func select(_ query: VideoQuery, _ options: FilterOptions) throws -> VideoSelection {
    let words = options.search.map { SearchWords($0) }
    var problem: (any Error)?
    let decisions = TextDecisions(
      matches: { video in
        guard let words else { return true }
        do { return try matches(video, words) } catch {
          problem = problem ?? error
          return false
        }
      },
      isBlocked: { _ in false })
    let selection: VideoSelection
    do { selection = try session.state.select(query, at: session.now, decisions) } catch {
      throw Words.query(error)
    }
    if let problem { throw problem }
    return selection
  }

  private func matches(_ video: Video, _ words: SearchWords) throws -> Bool {
    let channel = VideoRow(video, in: session.state, at: session.now)?.channelTitle ?? ""
    if words.match([video.title, channel]) { return true }
    return words.match([video.title, channel, try session.text(of: video.description)])
  }
}

extension Session {
  /// The text of a description, read from the log; empty where there is none.
  func text(of description: Description?) throws -> String {
    guard let description else { return "" }
    do { return try journal.text(of: description) } catch { throw Words.failure(error) }
  }
}
