import ArgumentParser
import Core

/// The videos to mark: by name, or all that filters choose.
struct MarkOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Videos by id, address or numbers in the last table (3, 1-3,7); - reads ids from standard input.",
      valueName: "video"),
    transform: ArgumentShield.unguarded)
  var videos: [String] = []
  @Flag(name: .long, help: "All that the filters choose, as list would show them without a limit.")
  var all = false
  @Option(
    name: .long, help: ArgumentHelp("With --all: only published longer ago than this: 30d, 2w.", valueName: "time"),
    transform: ArgumentShield.unguarded)
  var olderThan: String?
  @Option(
    name: .long, help: "With --all: only this status: new, watched, skipped or snoozed; may be given several times.")
  var status: [Status] = []
  @OptionGroup var filter: FilterOptions

  /// Whether anything says which of the videos are meant.
  var isNarrowed: Bool { filter.isGiven || olderThan != nil || !status.isEmpty }

  func validate() throws {
    if all, !videos.isEmpty { throw ValidationError("name videos or say --all, not both") }
    if !all, isNarrowed {
      throw ValidationError("filters go with --all, which marks all that they choose")
    }
    if !all, videos.isEmpty { throw ValidationError("name videos, or say --all for all that the filters choose") }
    if olderThan != nil, filter.until != nil {
      throw ValidationError("--older-than and --until are the same; give one")
    }
  }
}

/// One way to mark videos, as a command does it: to as many as are named, each told, all counted, in one action.
struct Marking {
  /// What becomes of the videos, in a sentence: `3 videos watched`.
  let word: String
  /// The statuses that `--all` is about where none is said; nil is every one.
  let chosen: Set<Status>?
  /// The videos that `--all` is about, where they are those of a list of the person's: all of them, whatever hides them
  /// elsewhere.
  let members: ((State) -> [VideoID])?
  /// The event that marks a video; nil where it is so already.
  let mark: (Video, Timestamp) -> EventBody?

  init(
    word: String, chosen: Set<Status>?, of members: ((State) -> [VideoID])?,
    mark: @escaping (Video, Timestamp) -> EventBody?
  ) {
    (self.word, self.chosen, self.members, self.mark) = (word, chosen, members, mark)
  }

  /// Gives a status; with `--all` to those that are new, or where they are to be so, to those that are not.
  init(status: Status, word: String) {
    self.init(word: word, chosen: status == .new ? [.watched, .skipped, .snoozed] : [.new], of: nil) { video, now in
      // A snooze that is over and a skip of what was still to come are new by themselves, but not for good.
      let isSo = video.statusSet.status == status && video.status(at: now) == status
      return isSo ? nil : .statusSet(StatusSet(video: video.id, status: status))
    }
  }

  /// Puts aside or no longer; with `--all` what is new, or all that was put aside.
  init(saved: Bool, word: String) {
    self.init(word: word, chosen: saved ? [.new] : nil, of: saved ? nil : { $0.saved }) { video, _ in
      video.isSaved == saved ? nil : .savedSet(SavedSet(video: video.id, saved: saved))
    }
  }

  /// Marks the videos meant; those unknown are told and make the status 1.
  func run(_ options: MarkOptions, _ common: CommonOptions) throws { try run(options, Session(common)) }

  /// The same in a session that is open.
  func run(_ options: MarkOptions, _ session: Session) throws {
    guard options.all else {
      let named = try VideoNames(options.videos, in: session)
      let events = try commit(named.videos, session)
      try report(events, of: named.videos, isTold: named.usedNumbers || named.videos.count == 1, session)
      if named.hasUnknown { throw ExitStatus.inPart }
      return
    }
    let videos = try selected(options, session)
    try report(try commit(videos, session), of: videos, isTold: false, session)
  }

  private func commit(_ videos: [VideoID], _ session: Session) throws -> [Event] {
    try session.commit { state in videos.compactMap { state.videos[$0].flatMap { mark($0, session.now) } } }
  }

  private func selected(_ options: MarkOptions, _ session: Session) throws -> [VideoID] {
    let members = members?(session.state)
    // Those never found in a feed match no filter, and are members all the same.
    if let members, !options.isNarrowed { return members }
    let selecting = Selecting(session)
    var query = try selecting.query(options.filter, alsoUnfollowed: members != nil, areTagsKnown: true)
    query.statuses = options.status.isEmpty ? chosen : Set(options.status)
    if members != nil { (query.hidesNothing, query.alsoGone) = (true, true) }
    if let age = options.olderThan {
      query.until = try Moment(age, before: session.now, option: "--older-than").time
    }
    let selected = try selecting.select(query, options.filter).videos.map(\.id)
    guard let members = members.map({ Set($0) }) else { return selected }
    return selected.filter(members.contains)
  }

  private func report(_ events: [Event], of videos: [VideoID], isTold: Bool, _ session: Session) throws {
    var output = Output()
    if isTold {
      for id in videos {
        output.write(Words.reply(word, session.state.videos[id]?.title ?? "", id) + "\n")
      }
    }
    let unchanged = videos.count - events.count
    let already = unchanged > 0 ? "; \(unchanged) already so" : ""
    output.write("\(Words.count(events.count, "video")) \(word)\(already)\n")
    try output.finish()
  }
}
