import App
import ArgumentParser
import Arguments
import Core
import Platform

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

  /// The rule that the options describe; it is not added. Reports a tag that no channel has.
  func rule(in session: Session) throws -> Rule {
    let request = RuleRequest(
      verdict: verdict, contains: contains, matches: matches, field: field, minDuration: minDuration,
      maxDuration: maxDuration, short: shorts, live: live, olderThan: olderThan, tag: tag, channel: channel)
    let rule = try request.rule(in: session)
    let channels = try session.state.channels.values
    if let tag = rule.tag, !channels.contains(where: { $0.isFollowed && $0.tags.contains(tag) }) {
      StandardError.report("--tag: no channel you follow has the tag “\(tag)”")
    }
    return rule
  }
}
