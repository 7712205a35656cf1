import ArgumentParser
import Core
import EventLog

extension Rule.Verdict: ExpressibleByArgument {}
extension Rule.Field: ExpressibleByArgument {}

/// The parts of a rule on the command line.
struct RuleOptions: ParsableArguments {
  /// What patterns can say, for the help.
  static let syntax = """
    Patterns: . [a-z] [^a-z] \\d \\w \\s \\b ^ $ | ( ) * + ? {2,5}; case and accents
    make no difference. None of them can take long, whatever the text.
    """

  @Argument(help: "What becomes of the videos: block or allow.")
  var verdict: Rule.Verdict
  @Option(
    name: .long, help: ArgumentHelp("Every word is in the text.", valueName: "words"),
    transform: ArgumentShield.unguarded)
  var contains: String?
  @Option(
    name: .long, help: ArgumentHelp("The pattern matches the text.", valueName: "pattern"),
    transform: ArgumentShield.unguarded)
  var matches: String?
  @Option(name: .customLong("in"), help: "The text: title or description; either where none is said.")
  var field: Rule.Field?
  @Option(
    name: .long, help: ArgumentHelp("Known to last at least this: 90s, 10m, 1:30:00.", valueName: "length"),
    transform: ArgumentShield.unguarded)
  var minDuration: String?
  @Option(
    name: .long, help: ArgumentHelp("Known to last at most this.", valueName: "length"),
    transform: ArgumentShield.unguarded)
  var maxDuration: String?
  // Not --shorts, for --no-shorts could be the id of a video.
  @Flag(
    name: .customLong("short"), inversion: .prefixedNo, exclusivity: .exclusive, help: "A Short by evidence; or not.")
  var shorts: Bool?
  @Flag(
    name: .long, inversion: .prefixedNo, exclusivity: .exclusive, help: "Proven to be a stream or premiere; or not.")
  var live: Bool?
  @Option(
    name: .long, help: ArgumentHelp("Published longer ago than this: 90d, 2w.", valueName: "time"),
    transform: ArgumentShield.unguarded)
  var olderThan: String?
  @Option(
    name: .long, help: "Only of channels with this tag.", completion: Completion.tags,
    transform: ArgumentShield.unguarded)
  var tag: String?
  @Option(
    name: .long, help: "Only of this channel, by id, address, handle or title.", completion: Completion.channels,
    transform: ArgumentShield.unguarded)
  var channel: String?

  /// The rule, which is not added by this.
  func rule(in session: Session) throws -> Rule {
    var rule = Rule(id: RuleOptions.newID(at: session.now), verdict: verdict)
    rule.contains = contains
    rule.matches = matches
    rule.field = field
    rule.minimumLength = try minDuration.map { try Length($0, option: "--min-duration").seconds }
    rule.maximumLength = try maxDuration.map { try Length($0, option: "--max-duration").seconds }
    (rule.short, rule.live) = (shorts, live)
    rule.tag = try tag.map(TagNames(session.state).given)
    rule.age = try olderThan.map { text in
      guard let span = Moment.span(text) else { throw Failure(.usage, "--older-than: \(text) is no span such as 90d") }
      return Int(span)
    }
    rule.subscription = try channel.map { try ChannelNames(session.state, alsoUnfollowed: true).resolve($0) }
    try refuseWhatSaysNothing(rule)
    if let tag = rule.tag, !session.state.channels.values.contains(where: { $0.isFollowed && $0.tags.contains(tag) }) {
      Messages.tell("--tag: no channel that you follow has the tag \(tag) now")
    }
    guard rule.isNarrow else { throw Failure(.usage, "rule: say what it is about, such as --contains or --channel") }
    return rule
  }

  /// Throws where a condition holds of every text, or of no video there can be.
  private func refuseWhatSaysNothing(_ rule: Rule) throws {
    if let matches {
      let pattern: Pattern
      do { pattern = try Pattern(matches) } catch { throw Words.pattern(error, matches) }
      if pattern.isEverywhere { throw Failure(.usage, "--matches: \(matches): it matches every text") }
    }
    if let contains, SearchWords(contains).isEmpty {
      throw Failure(.usage, "--contains: no words, which every text has")
    }
    if let tag, tag.isEmpty { throw Failure(.usage, "--tag: no tag") }
    if field != nil, contains == nil, matches == nil {
      throw Failure(.usage, "--in says where to look; say for what by --contains or --matches")
    }
    if let least = rule.minimumLength, let most = rule.maximumLength, least > most {
      throw Failure(.usage, "--min-duration is more than --max-duration; no video is that long and that short")
    }
  }

  /// An id that no other device makes.
  private static func newID(at now: Timestamp) -> String {
    var generator = SystemRandomNumberGenerator()
    let seconds = String(max(0, now.seconds), radix: 16)
    let zeros = String(repeating: "0", count: max(0, 8 - seconds.utf8.count))
    return "\(zeros)\(seconds)-\(DeviceID(using: &generator).description.prefix(4))"
  }
}

/// What rules do to the videos that are new.
struct RuleEffect {
  private let session: Session
  private let state: State
  private let texts: TextLibrary
  private let query: VideoQuery

  init(_ session: Session) throws {
    self.session = session
    state = session.state
    texts = TextLibrary(session.journal)
    var query = try Selecting(session).query(FilterOptions.parse([]), alsoUnfollowed: false, areTagsKnown: true)
    query.statuses = [.new]
    self.query = query
  }

  /// The new videos that would be shown without rules, of which the rules of a book that block may be about some.
  private func candidates(_ rules: RuleBook) throws -> [Video] {
    let isCandidate = TextDecision(among: rules.rows(of: state, at: session.now)) { _ in true }
    return try state.select(query, at: session.now, TextDecisions(matches: isCandidate, isBlocked: nil)).videos
  }

  /// How many new videos each rule in force hides, or shows though others block them, by its id.
  func counts() throws -> [String: Int] {
    let rules = RuleBook(state.rules, texts)
    let candidates = try candidates(rules)
    return try session.readingTexts { text in
      var counts: [String: Int] = [:]
      for video in candidates {
        let applying = rules.applying(to: video, in: state, at: session.now, description: text)
        let allowing = applying.filter { $0.verdict == .allow }
        // Each of several that block hides it; of several that allow none is the one that shows it.
        let effective = allowing.isEmpty ? applying : applying.count > 1 && allowing.count == 1 ? allowing : []
        for rule in effective { counts[rule.id, default: 0] += 1 }
      }
      return counts
    }
  }

  /// The new videos that a rule would hide, or show though others block them.
  func changed(by rule: Rule) throws -> [Video] {
    let others = state.rules.filter { $0.id != rule.id }
    let known = texts.verdicts(on: others + [rule])
    let without = RuleBook(others, knowing: known)
    let with = RuleBook(rule.verdict == .block ? others + [rule] : [rule], knowing: known)
    // One that allows changes only what others block.
    let candidates = try candidates(rule.verdict == .block ? RuleBook([rule], knowing: known) : without)
    return try session.readingTexts { text in
      candidates.filter { video in
        switch rule.verdict {
        case .block:
          with.hides(video, in: state, at: session.now, description: text)
            && !without.hides(video, in: state, at: session.now, description: text)
        case .allow:
          without.hides(video, in: state, at: session.now, description: text)
            && !with.applying(to: video, in: state, at: session.now, description: text).isEmpty
        }
      }
    }
  }
}
