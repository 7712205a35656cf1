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
    return VideoQuery(
      statuses: nil, shorts: options.shorts, upcoming: options.upcoming,
      subscriptions: subscriptions.isEmpty ? nil : Set(subscriptions), tags: Set(options.tag),
      since: try options.since.map { try Moment($0, before: session.now, option: "--since").time },
      until: try options.until.map { try Moment($0, before: session.now, option: "--until").time },
      order: .published, oldestFirst: false, limit: 0)
  }

  /// The videos a query asks for whose title, channel or description holds every word of `search`.
  func select(_ query: VideoQuery, search: String?) throws -> VideoSelection {
    guard let search else { return session.state.select(query, at: session.now, matchesText: nil) }
    let words = SearchWords(search)
    var problem: (any Error)?
    let selection = session.state.select(query, at: session.now) { video in
      do { return try matches(video, words) } catch {
        problem = problem ?? error
        return false
      }
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
