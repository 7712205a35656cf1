import Core
import EventLog
import Messages
import ReadModel

/// The conditions of a rule, as the user typed them.
package struct RuleRequest: Equatable, Sendable {
  var verdict: Rule.Verdict
  /// The text contains every one of these words.
  var contains: String?
  /// The pattern matches the text.
  var matches: String?
  /// The text to check; nil for the title or the description.
  var field: Rule.Field?
  /// Known lengths: `90s`, `10m`.
  var minDuration: String?
  var maxDuration: String?
  /// A confirmed Short, or not one; a confirmed stream or premiere, or not one.
  var short: Bool?
  var live: Bool?
  /// Published longer ago than this: `90d`.
  var olderThan: String?
  /// Only channels with this tag; only this channel, by ID, URL, handle or title.
  var tag: String?
  var channel: String?

  package init(
    verdict: Rule.Verdict, contains: String? = nil, matches: String? = nil, field: Rule.Field? = nil,
    minDuration: String? = nil, maxDuration: String? = nil, short: Bool? = nil, live: Bool? = nil,
    olderThan: String? = nil, tag: String? = nil, channel: String? = nil
  ) {
    (
      self.verdict, self.contains, self.matches, self.field, self.minDuration, self.maxDuration, self.short, self.live,
      self.olderThan, self.tag, self.channel
    ) = (verdict, contains, matches, field, minDuration, maxDuration, short, live, olderThan, tag, channel)
  }

  /// The rule that the request describes; it is not added. Throws an `AppError` if a condition is invalid.
  package func rule(in session: Session) throws -> Rule {
    var rule = Rule(id: RuleRequest.newID(at: session.now), verdict: verdict)
    rule.contains = contains
    rule.matches = matches
    rule.field = field
    rule.minimumLength = try minDuration.map { try DurationArgument($0, .minDuration).seconds }
    rule.maximumLength = try maxDuration.map { try DurationArgument($0, .maxDuration).seconds }
    (rule.short, rule.live) = (short, live)
    rule.tag = try tag.map(TagNames(session.state).given)
    rule.age = try olderThan.map { text in
      guard let span = TimeArgument.span(text) else { throw AppError.notASpan(text, .olderThan) }
      return Int(span)
    }
    rule.subscription = try channel.map { try ChannelResolver(session.state, alsoUnfollowed: true).resolve($0) }
    try refuseWhatSaysNothing(rule)
    guard rule.isNarrow else { throw AppError.rule(.noCondition) }
    return rule
  }

  /// Throws if a condition matches every text, or if no video could match.
  private func refuseWhatSaysNothing(_ rule: Rule) throws {
    if let matches {
      let pattern: Pattern
      do { pattern = try Pattern(matches) } catch { throw AppError.rule(.pattern(matches, error)) }
      if pattern.isEverywhere { throw AppError.rule(.matchesEverything(matches)) }
    }
    if let words = contains.map({ SearchWords($0) }) {
      if words.isEmpty { throw AppError.noWords(.contains) }
      if words.count > SearchWords.maximum { throw AppError.tooManyWords(.contains, limit: SearchWords.maximum) }
    }
    if field != nil, contains == nil, matches == nil { throw AppError.rule(.fieldWithoutText) }
    if let least = rule.minimumLength, let maximum = rule.maximumLength, least > maximum {
      throw AppError.emptyRange(.minDuration, .maxDuration)
    }
  }

  /// A rule ID that no other device generates: hexadecimal seconds, `-` and four random characters.
  package static func newID(at now: Timestamp) -> String {
    var generator = SystemRandomNumberGenerator()
    return "\(String(hex: max(0, now.seconds), digits: 8))-\(DeviceID(using: &generator).description.prefix(4))"
  }
}

extension Session {
  /// The new videos that a rule would hide or show now. Throws an `AppError` if its pattern is too slow.
  package func videosChanged(by rule: Rule) throws -> [VideoID] {
    do {
      return try query { try $0.videosChanged(by: rule, at: now) }
    } catch let error as PatternError { throw AppError.rule(.pattern(rule.matches ?? "", error)) }
  }
}
