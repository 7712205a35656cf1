import App
import ArgumentParser
import Arguments
import Core
import Messages
import Platform
import ReadModel

/// Which videos to mark: those given, or all that match the filters.
struct MarkOptions: ParsableArguments {
  @Argument(
    text: "Videos by ID, URL or number in the last table (3, 1-3,7); - reads IDs from standard input.", value: "video",
    completion: Completion.videos)
  var videos: [String] = []
  @Flag(help: "All videos that match the filters, as list shows them without a limit.") var all = false
  @Option(text: "With --all: only if published longer ago than: 30d, 2w.", value: "time") var olderThan: String?
  @Option(help: "With --all: only this status: new, watched, skipped or snoozed; repeatable.") var status: [Status] = []
  @OptionGroup var filter: FilterOptions

  /// Whether any filter is given.
  var isNarrowed: Bool { filter.filter.isGiven || olderThan != nil || !status.isEmpty }

  func validate() throws {
    if all, !videos.isEmpty { throw ValidationError("give videos or --all, not both") }
    if !all, isNarrowed {
      throw ValidationError("filters go with --all, which marks every video that matches them")
    }
    if !all, videos.isEmpty { throw ValidationError("give videos, or --all for every video that matches the filters") }
    if olderThan != nil, filter.until != nil {
      throw ValidationError("--older-than and --until mean the same; give one")
    }
  }
}

/// A command that marks videos.
protocol MarkingCommand: SessionCommand {
  var options: MarkOptions { get }
  /// What the command does to the videos.
  func action(in session: Session) throws -> MarkAction
}

extension MarkingCommand {
  func run(in session: Session, to output: inout Output) throws {
    try action(in: session).run(options, session, to: &output)
  }
}

/// A marking command: marks all given videos in one action and reports how many changed. It also lists their titles if
/// they were given by number or are few.
struct MarkAction {
  /// The resulting state, for messages: `watched` in `3 videos watched`.
  let word: String
  /// The statuses that `--all` selects without `--status`; nil selects every status.
  let chosen: Set<Status>?
  /// The videos that `--all` selects from, if the command works on a list of the user (saved, a collection): all its
  /// members, including those hidden elsewhere. Otherwise nil.
  let members: ((Session) throws -> [VideoID])?
  /// What the command says of each video.
  let mark: Mark

  /// The largest number of videos given by ID that are listed with their titles.
  private static let maxReported = 20

  /// Marks the selected videos. Reports unknown ones, then throws status 1.
  func run(_ options: MarkOptions, _ session: Session, to output: inout Output) throws {
    let named = options.all ? nil : try VideoArguments(options.videos, in: session, alsoUnseen: true)
    let videos = try named?.videos ?? selected(options, session)
    let events = try session.mark(videos, mark)
    if let named, named.usedNumbers || videos.count <= MarkAction.maxReported {
      let changed = Set(events.compactMap(\.body.video))
      for id in videos {
        let what = changed.contains(id) ? word : "no change"
        output.write(try session.reply(what, on: id) + "\n")
      }
    }
    let unchanged = videos.count - events.count
    let already = unchanged > 0 ? "; \(unchanged) unchanged" : ""
    output.write("\(UserMessages.count(events.count, "video")) \(word)\(already)\n")
    if named?.hasUnknown == true { throw ExitStatus.partial }
  }

  private func selected(_ options: MarkOptions, _ session: Session) throws -> [VideoID] {
    let members = try members?(session)
    // Without filters take every member: one never found in a feed would match no query.
    if let members, !options.isNarrowed { return members }
    let filter = options.filter.filter
    var query = try session.query(for: filter, alsoUnfollowed: members != nil, areTagsKnown: true)
    query.statuses = options.status.isEmpty ? chosen : Set(options.status)
    if members != nil { (query.hidesNothing, query.alsoGone) = (true, true) }
    if let age = options.olderThan {
      query.until = try TimeArgument(age, before: session.now, .olderThan).time
    }
    let selected = try session.select(query, search: filter.search).ids
    guard let members = members.map({ Set($0) }) else { return selected }
    return selected.filter(members.contains)
  }
}

extension MarkAction {
  /// Sets a status. `--all` selects new videos, or, if the status to set is new, all others.
  init(status: Status, word: String) {
    self.init(
      word: word, chosen: status == .new ? [.watched, .skipped, .snoozed] : [.new], members: nil,
      mark: Mark(status: status))
  }

  /// Saves or unsaves videos. `--all` selects new videos to save, or unsaves everything saved.
  init(saved: Bool, word: String) {
    self.init(
      word: word, chosen: saved ? [.new] : nil, members: saved ? nil : { try $0.query { try $0.saved() } },
      mark: Mark(saved: saved))
  }
}

extension Session {
  /// One line about a change to a video; of one that nothing names also that no feed has shown it, as after a mistyped ID.
  func reply(_ what: String, on id: VideoID) throws -> String {
    let title = try title(of: id)
    let isUnseen = try title.isEmpty && !query { try $0.isFound(id) }
    return UserMessages.reply(what, title, id) + (isUnseen ? ", which no feed has shown yet" : "")
  }
}
