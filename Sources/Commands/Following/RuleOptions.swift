import ArgumentParser
import Core
import EventLog
import ReadModel

extension Rule.Verdict: ExpressibleByArgument {}
extension Rule.Field: ExpressibleByArgument {}

/// The options that describe a rule.
struct RuleOptions: ParsableArguments {
  /// The pattern syntax, for help texts.
  static let syntax = """
    Patterns: . [a-z] [^a-z] \\d \\w \\s \\b ^ $ | ( ) * + ? {2,5}; case and accents
    are ignored. A pattern that is too complex for a text does not apply to it;
    rule list says so.
    """

  @Argument(help: "block hides matching videos; allow overrides block rules.") var verdict: Rule.Verdict
  @Option(text: "The text contains every one of these words.", value: "words") var contains: String?
  @Option(text: "The pattern matches the text.", value: "pattern") var matches: String?
  @Option(name: .customLong("in"), help: "Text to check: title or description. (default: either)")
  var field: Rule.Field?
  @Option(text: "Known duration is at least this: 90s, 10m, 1:30:00.", value: "length") var minDuration: String?
  @Option(text: "Known duration is at most this.", value: "length") var maxDuration: String?
  // Not --shorts, because --no-shorts could be a video ID.
  @Flag(
    name: .customLong("short"), inversion: .prefixedNo, exclusivity: .exclusive, help: "A confirmed Short, or not one.")
  var shorts: Bool?
  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "A confirmed stream or premiere, or not one.")
  var live: Bool?
  @Option(text: "Published longer ago than this: 90d, 2w.", value: "time") var olderThan: String?
  @Option(text: "Only channels with this tag.", completion: Completion.tags) var tag: String?
  @Option(text: "Only this channel, by ID, URL, handle or title.", completion: Completion.channels) var channel: String?

  /// The rule that the options describe; it is not added. Throws `Failure` if a condition is invalid.
  func rule(in session: Session) throws -> Rule {
    var rule = Rule(id: RuleOptions.newID(at: session.now), verdict: verdict)
    rule.contains = contains
    rule.matches = matches
    rule.field = field
    rule.minimumLength = try minDuration.map { try DurationArgument($0, option: "--min-duration").seconds }
    rule.maximumLength = try maxDuration.map { try DurationArgument($0, option: "--max-duration").seconds }
    (rule.short, rule.live) = (shorts, live)
    rule.tag = try tag.map(TagNames(session.state).given)
    rule.age = try olderThan.map { text in
      guard let span = TimeArgument.span(text) else {
        throw Failure(.usage, "--older-than: “\(text)” is not a time span such as 90d")
      }
      return Int(span)
    }
    rule.subscription = try channel.map { try ChannelResolver(session.state, alsoUnfollowed: true).resolve($0) }
    try refuseWhatSaysNothing(rule)
    let channels = try session.state.channels.values
    if let tag = rule.tag, !channels.contains(where: { $0.isFollowed && $0.tags.contains(tag) }) {
      StandardError.report("--tag: no channel you follow has the tag “\(tag)”")
    }
    guard rule.isNarrow else { throw Failure(.usage, "rule: give a condition, such as --contains or --channel") }
    return rule
  }

  /// Throws if a condition matches every text, or if no video could match.
  private func refuseWhatSaysNothing(_ rule: Rule) throws {
    if let matches {
      let pattern: Pattern
      do { pattern = try Pattern(matches) } catch { throw UserMessages.pattern(error, matches) }
      if pattern.isEverywhere { throw Failure(.usage, "--matches: “\(matches)” matches every text") }
    }
    if let words = contains.map({ SearchWords($0) }) {
      if words.isEmpty { throw Failure(.usage, "--contains: no words given, so it would match every text") }
      if words.count > SearchWords.most {
        throw Failure(.usage, "--contains: more than \(SearchWords.most) different words")
      }
    }
    if let tag, tag.isEmpty { throw Failure(.usage, "--tag: the tag is empty") }
    if field != nil, contains == nil, matches == nil {
      throw Failure(.usage, "--in needs --contains or --matches")
    }
    if let least = rule.minimumLength, let most = rule.maximumLength, least > most {
      throw Failure(.usage, "--min-duration is greater than --max-duration, so no video could match")
    }
  }

  /// A rule ID that no other device generates: hexadecimal seconds, `-` and four random characters.
  private static func newID(at now: Timestamp) -> String {
    var generator = SystemRandomNumberGenerator()
    return "\(String(hex: max(0, now.seconds), digits: 8))-\(DeviceID(using: &generator).description.prefix(4))"
  }
}
