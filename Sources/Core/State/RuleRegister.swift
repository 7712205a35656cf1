/// A rule as the fold keeps it: what was said of it last, and its place among the others.
struct RuleRegister: Equatable, Sendable {
  /// The rule; nil within where it was removed.
  private(set) var latest: Register<Rule?>
  /// The earliest event about it, which is the one that made it. Ids of rules made in the same second come in any order.
  private(set) var made: EventID

  /// A register of which these are the latest and the earliest event.
  init(_ latest: Register<Rule?>, made: EventID) {
    self.latest = latest
    self.made = made
  }

  /// Takes note of what an event says of the rule.
  mutating func set(_ rule: Rule?, by id: EventID) {
    latest.set(rule, by: id)
    made = min(made, id)
  }
}

extension RuleRegister? {
  /// Takes note of what an event says of the rule; nil is a rule of which nothing was said.
  mutating func set(_ rule: Rule?, by id: EventID) {
    if self == nil { self = RuleRegister(Register(rule, by: id), made: id) } else { self?.set(rule, by: id) }
  }
}
