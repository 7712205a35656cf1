import Core
import EventLog

/// Selects videos for a command.
struct VideoSelector {
  private let session: Session

  init(_ session: Session) { self.session = session }

  /// The query behind the filter options, of every status, the newest first, without a limit. `alsoUnfollowed` is
  /// whether channels may be named that are followed no longer, and `areTagsKnown` whether a tag that no channel has
  /// is a mistake.
  func query(_ options: FilterOptions, alsoUnfollowed: Bool, areTagsKnown: Bool) throws -> VideoQuery {
    let times = try times(options)
    let names = ChannelResolver(session.state, alsoUnfollowed: alsoUnfollowed || options.saved)
    let subscriptions = try options.channel.map { try names.resolve($0) }
    let tagNames = TagNames(session.state)
    let tags = try options.tag.flatMap { areTagsKnown ? try tagNames.resolve($0) : tagNames.speltOrNew($0) }
    var query = VideoQuery(
      statuses: nil, shorts: options.shorts, upcoming: options.upcoming,
      subscriptions: subscriptions.isEmpty ? nil : Set(subscriptions), tags: Set(tags),
      since: times.since, until: times.until, order: .published, oldestFirst: false, limit: 0)
    query.savedOnly = options.saved
    // What a person put aside is theirs, whatever it is and wherever it came from.
    (query.hidesNothing, query.alsoGone) = (options.saved, options.saved)
    query.streamsOnly = options.live
    query.minimumLength = try options.minDuration.map { try DurationArgument($0, option: "--min-duration").seconds }
    query.maximumLength = try options.maxDuration.map { try DurationArgument($0, option: "--max-duration").seconds }
    return query
  }

  /// Since and until when the options ask for videos.
  private func times(_ options: FilterOptions) throws -> (since: Timestamp?, until: Timestamp?) {
    let since = try options.since.map { try TimeArgument($0, before: session.now, option: "--since").time }
    return (since, try options.until.map { try TimeArgument($0, before: session.now, option: "--until").time })
  }

  /// The videos a query asks for whose title, channel or description holds every word searched for.
  func select(_ query: VideoQuery, _ options: FilterOptions) throws -> VideoSelection {
    let state = session.state
    let texts = TextLibrary(session.journal)
    let search = options.search.map { TextSearch(SearchWords($0), in: texts.index) }
    let rules = RuleBook(options.noRules || query.hidesNothing ? [] : state.rules, texts)
    let selection = try session.readingTexts { text in
      let decisions = TextDecisions(
        matches: search.map { search in
          TextDecision(among: search.rows(of: state)) { search.matches($0, in: state, description: text) }
        },
        isBlocked: rules.isEmpty
          ? nil
          : TextDecision(among: rules.rows(of: state, at: session.now)) {
            rules.hides($0, in: state, at: session.now, description: text)
          })
      do throws(QueryError) {
        return try state.select(query, at: session.now, decisions)
      } catch { throw UserMessages.query(error) }
    }
    texts.note(unknownTexts: max(search?.unknownTexts ?? 0, rules.unknownTexts))
    return selection
  }
}

extension VideoSelector {
  /// One page of a list. Where a video's place depends on what else there is, it is the one of the first page's moment.
  func page(of query: VideoQuery, _ options: FilterOptions) throws -> VideoSelection {
    if query.arrangement == .byTime { return try select(query, options) }
    guard var after = query.after else {
      var selection = try select(query, options)
      selection.next?.moment = session.journal.lastMoment
      selection.next?.time = session.now
      return selection
    }
    let moment = after.moment ?? session.journal.lastMoment
    let time = after.time ?? after.moment?.timestamp ?? session.now
    (after.moment, after.time) = (moment, time)
    let past = VideoSelector(try session.past(moment, at: time))
    // A span such as 3d is counted from there too.
    let times = try past.times(options)
    var whole = query.whole
    (whole.since, whole.until) = (times.since, times.until)
    let places = try past.select(whole, options).videos.map(\.id)
    let listed = try select(whole, options)
    do throws(QueryError) {
      return try listed.page(after: after, limit: query.limit, in: places)
    } catch { throw UserMessages.query(error) }
  }
}

extension RuleBook {
  /// The rules with what the index of texts knows of theirs.
  init(_ rules: [Rule], _ texts: TextLibrary) { self.init(rules, knowing: texts.verdicts(on: rules)) }
}

extension Session {
  /// The text of a description, read from the log; empty where there is none.
  func text(of description: Description?) throws -> String {
    guard let description else { return "" }
    do { return try journal.text(of: description) } catch { throw UserMessages.failure(error) }
  }

  /// What `body` makes of videos and the texts of their descriptions, folded, which it is given by a function that cannot
  /// throw. Throws where one of the texts could not be read, for then the answer may be wrong.
  func readingTexts<Result>(_ body: (_ text: @escaping (Video) -> [UInt8]) throws -> Result) throws -> Result {
    var problem: (any Error)?
    let result = try body { video in
      guard let description = video.description else { return [] }
      do throws(LogError) { return try journal.foldedText(of: description) } catch {
        problem = problem ?? UserMessages.failure(error)
        return []
      }
    }
    if let problem { throw problem }
    return result
  }
}
