import App
import Arguments
import Core
import Exporters
import Messages
import Platform
import PollEngine
import Terminal

/// Lets the person choose among the channels that a name may mean. Never chooses itself, not even the only one.
struct NameQuestion {
  private let session: Session
  private let formatting: FormatOptions
  private let searchesAtOnce: Bool
  /// Whether there is a terminal to ask.
  private let asks: Bool

  /// With `searchesAtOnce` YouTube is searched without a question.
  init(_ session: Session, _ formatting: FormatOptions, searchesAtOnce: Bool) {
    (self.session, self.formatting, self.searchesAtOnce) = (session, formatting, searchesAtOnce)
    asks = Confirmation.isPossible && Output.isTerminal && formatting.format == .table
  }

  /// How it ended.
  enum Outcome {
    /// The person chose these, or none of them.
    case chosen([ChannelMatch])
    /// The choices, because there is no terminal or no channel matched.
    case listed([NamedChoice])
  }

  /// What one name may mean.
  private struct Choices {
    let name: String
    var known: [ChannelMatch]
    /// A search on YouTube that was not made yet; nil if it cannot be.
    var offer: YouTubeSearch.Offer?
  }

  /// Lists the channels of a name and has the person choose.
  func choices(for name: String, to output: inout Output) throws -> Outcome {
    var choices = Choices(
      name: name, known: try ChannelSearch(name: name).choices(in: session), offer: try YouTubeSearch.offer(in: session)
    )
    if searchesAtOnce { try search(&choices) }
    guard asks else {
      if formatting.format == .table { show(choices.known, to: &output) }
      report(choices)
      return .listed(choices.known.enumerated().map { NamedChoice(name: name, number: $0 + 1, choice: $1) })
    }
    while true {
      guard !choices.known.isEmpty || choices.offer != nil else {
        report(choices)
        return .listed([])
      }
      if !choices.known.isEmpty {
        show(choices.known, to: &output)
        try output.finish()
      }
      switch reply(to: choices) {
      case .none: return .chosen([])
      case .numbers(let numbers): return .chosen(numbers.map { choices.known[$0 - 1] })
      case .search: try search(&choices)
      }
    }
  }

  private func show(_ choices: [ChannelMatch], to output: inout Output) {
    if !choices.isEmpty { output.write(TextTable.choices(choices), for: Terminal(formatting.color)) }
  }

  /// Adds what YouTube finds, below what is known already.
  private func search(_ choices: inout Choices) throws {
    guard let offer = choices.offer else { throw YouTubeSearch.unavailable }
    guard let text = SearchText(choices.name) else { return }
    choices.offer = nil
    if offer.cost > 0 { StandardError.report("searching YouTube: \(offer.price)") }
    var search = YouTubeSearch(text, in: session, deadline: nil)
    let state = try session.state
    let found = try search.channels().found.map { $0.known(in: state) }
    let known = Set(choices.known.map(\.channel))
    choices.known += found.filter { !known.contains($0.channel) }
  }

  // MARK: The question

  private enum Reply {
    case none, search
    case numbers([Int])
  }

  private func reply(to choices: Choices) -> Reply {
    let name = DisplayText(choices.name).text
    let count = choices.known.count
    let search = choices.offer.map { "search YouTube (\($0.price))" }
    while true {
      let prompt =
        count == 0
        ? "No channel named “\(name)” is known; \(search ?? "")? [y/N] "
        : "Follow which? [1\(count > 1 ? "-\(count)" : "")\(search.map { ", y: \($0)" } ?? ""), Enter: none] "
      guard let line = Confirmation.line(prompt)?.lowercased() else { return .none }
      let parts = line.split { $0 == " " || $0 == "," }.map(String.init)
      if parts.isEmpty || parts == ["n"] || parts == ["no"] { return .none }
      if choices.offer != nil, parts == ["y"] || parts == ["yes"] { return .search }
      let numbers = parts.compactMap { Int($0) }.filter { (1...max(1, count)).contains($0) && count > 0 }
      if numbers.count == parts.count { return .numbers(numbers) }
      StandardError.report("“\(DisplayText(line).text)” is not one of these")
    }
  }

  /// Says why nothing is followed, and what to do.
  private func report(_ choices: Choices) {
    var text = "\(choices.name): \(UserMessages.reference(.notAReference, of: choices.name))"
    let count = UserMessages.count(choices.known.count, "channel")
    let verb = choices.known.count == 1 ? "has" : "have"
    text +=
      choices.known.isEmpty
      ? "; no channel of this name is known" : "; \(count) \(verb) this name; follow one by its ID"
    if let offer = choices.offer { text += "; --youtube searches YouTube (\(offer.price))" }
    StandardError.report(text)
  }
}

/// A channel that a name may mean, with the name.
struct NamedChoice: MachineRow {
  let name: String
  /// The position in the list, from 1.
  let number: Int
  let choice: ChannelMatch

  private typealias Member = (name: String, value: @Sendable (NamedChoice) -> ExportedValue)

  static let members: [(name: String, value: @Sendable (NamedChoice) -> ExportedValue)] = {
    let own: [Member] = [("name", { .text($0.name) }), ("number", { .number($0.number) })]
    return own
      + ChannelMatch.members.map { member -> Member in
        let value = member.value
        return (name: member.name, value: { value($0.choice) })
      }
  }()

  var id: String { choice.id }
  var page: String? { choice.page }
}
