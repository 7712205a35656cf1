import App
import ArgumentParser
import Arguments
import Core
import Exporters
import Messages
import Platform
import ReadModel
import Terminal

/// `rule`: rules that hide or show videos in lists.
struct RuleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rule", abstract: "Hide videos with rules, or exempt videos from the other rules.",
    discussion: """
      Rules apply when listing: a new rule covers every video ever found, and
      removing it brings its videos back. --no-rules shows what they hide.

      Examples:
        metube-rss rule test block --contains giveaway
        metube-rss rule add block --contains giveaway
        metube-rss rule list
        metube-rss rule remove 1
      """,
    subcommands: [RuleAddCommand.self, RuleListCommand.self, RuleRemoveCommand.self, RuleTestCommand.self])
}

/// `rule add`: adds a rule.
struct RuleAddCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a rule; rule test previews it.",
    discussion: """
      A video must meet every condition given; for an alternative, add another rule.
      A video that matches both a block and an allow rule is shown.

      \(RuleOptions.syntax)

      Examples:
        metube-rss rule add block --matches '#shorts|\\bteaser\\b' --in title
        metube-rss rule add block --short --channel 'In a Nutshell'
        metube-rss rule add block --max-duration 2m --tag news
        metube-rss rule add allow --contains 'steam engine'
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var options: RuleOptions

  func run(in session: Session, to output: inout Output) throws {
    let rule = try options.rule(in: session)
    try session.commit { [.ruleSet(rule)] }
    let count = try session.videosChanged(by: rule).count
    let number = try session.state.rules.firstIndex { $0.id == rule.id }.map { $0 + 1 } ?? 0
    output.write("rule \(number): \(UserMessages.rule(rule, in: try session.state))\n")
    let videos = UserMessages.count(count, "new video")
    output.write(rule.verdict == .block ? "hides \(videos)\n" : "shows \(videos) again\n")
  }
}

/// `rule test`: previews a rule without adding it.
struct RuleTestCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Show which new videos a rule would hide, or show again, without adding it.",
    discussion: """
      \(RuleOptions.syntax)

      Examples:
        metube-rss rule test block --contains giveaway
        metube-rss rule test block --older-than 90d --tag news --format ids
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var formatting: FormatOptions
  @OptionGroup var options: RuleOptions

  func run(in session: Session, to output: inout Output) throws {
    let rule = try options.rule(in: session)
    let rows = try session.rows(try session.videosChanged(by: rule))
    if formatting.format == .table {
      let count = UserMessages.count(rows.count, "new video")
      let effect = rule.verdict == .block ? "would hide \(count)" : "would show \(count) again"
      let heading = "\(effect) (\(UserMessages.rule(rule, in: try session.state)))"
      output.write(rows, heading: heading, of: session, formatting.color)
    } else {
      RowFormat.write(rows, as: formatting.format, to: &output)
    }
  }
}

/// `rule list`: the rules and how many new videos each affects.
struct RuleListCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the rules, and how many new videos each hides.",
    discussion: """
      Examples:
        metube-rss rule list
        metube-rss rule list --format json
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var formatting: FormatOptions

  func validate() throws {
    if formatting.format == .urls { throw ValidationError("rules have no URLs") }
  }

  func run(in session: Session, to output: inout Output) throws {
    let counts = try session.query { try $0.ruleEffects(at: session.now) }
    let rows = try session.state.rules.map { RuleRow(rule: $0, count: counts[$0.id] ?? 0) }
    switch formatting.format {
    case .table where rows.isEmpty: output.write("No rules: see metube-rss rule add --help.\n")
    case .table: output.write(TextTable.rules(rows, in: try session.state), for: Terminal(formatting.color))
    default: RowFormat.write(rows, as: formatting.format, to: &output)
    }
    try output.finish()
    for (id, texts) in try session.query({ try $0.limitedRules() }).sorted(by: { $0.key < $1.key }) {
      StandardError.report(UserMessages.limited(rule: id, texts: texts))
    }
  }
}

/// `rule remove`: removes rules.
struct RuleRemoveCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove rules, by number or ID in rule list.",
    discussion: """
      Examples:
        metube-rss rule remove 2
        metube-rss rule remove 692fd3a0-k3v9
      """)
  @OptionGroup var common: CommonOptions
  @Argument(text: "Numbers or IDs of rules.", value: "rule", completion: Completion.rules) var rules: [String]

  func run(in session: Session, to output: inout Output) throws {
    let known = try session.state.rules
    var (wanted, hasUnknown): ([Rule], Bool) = ([], false)
    for name in rules {
      if let index = known.indices.first(where: { name == String($0 + 1) || name == known[$0].id }) {
        if !wanted.contains(known[index]) { wanted.append(known[index]) }
      } else {
        StandardError.report("\(name): no such rule; see metube-rss rule list")
        hasUnknown = true
      }
    }
    try session.commit {
      let state = try session.state
      return wanted.filter { state.rule($0.id).rule != nil }.map { .ruleRemoved(RuleRemoved(rule: $0.id)) }
    }
    for rule in wanted { output.write("removed: \(UserMessages.rule(rule, in: try session.state))\n") }
    if hasUnknown { throw ExitStatus.partial }
  }
}

extension TextTable {
  /// The table of `rule list`, with the numbers that `rule remove` takes.
  static func rules(_ rows: [RuleRow], in state: State) -> TextTable {
    var table = TextTable(columns: [
      Column("#", alignment: .right, minimum: 1, maximum: nil),
      Column("rule", minimum: 16, maximum: nil, isFlexible: true),
      Column("now", minimum: 7, maximum: nil),
    ])
    for (index, row) in rows.enumerated() {
      let what = row.rule.verdict == .block ? "hides" : "shows"
      table.add([
        Cell(String(index + 1)), Cell(UserMessages.rule(row.rule, in: state)),
        Cell("\(what) \(row.count)", tint: .magenta),
      ])
    }
    return table
  }
}
