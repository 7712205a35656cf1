import Core
import ReadModel

/// A search among all channels that the log has ever seen, by a part of their names: those followed, those followed
/// earlier, and those of videos in playlists and imported files.
package struct ChannelSearch: Equatable, Sendable {
  package var name: String
  /// The maximum number of channels found.
  package static let limit = 25

  package init(name: String) { self.name = name }

  /// The channels whose names contain the text, or all of its words: followed ones before the others among those that
  /// match equally well.
  package func choices(in session: Session) throws -> [ChannelMatch] {
    guard let typed = SearchText(name) else { return [] }
    let wanted = Wanted(typed.text)
    var found: [SubscriptionID: (match: Int, choice: ChannelMatch)] = [:]
    let state = try session.state
    for channel in state.channels.values where channel.hasTitle {
      if let match = wanted.match(channel.title) { found[channel.id] = (match, ChannelMatch(channel)) }
    }
    for (id, name) in try session.query({ try $0.namesOfChannels() }) {
      let channel = SubscriptionID.channel(id)
      guard state.channels[channel]?.hasTitle != true, let match = wanted.match(name) else { continue }
      // Of the names of one channel the one that matches best; of equal ones the same at each search.
      if let other = found[channel], (other.match, other.choice.title) <= (match, name) { continue }
      var choice =
        state.channels[channel].map { ChannelMatch($0) } ?? ChannelMatch(channel: channel, title: "", source: .seen)
      choice.title = name
      found[channel] = (match, choice)
    }
    let sorted = found.values.sorted { left, right in
      (left.match, left.choice.source.rank, left.choice.title, left.choice.channel)
        < (right.match, right.choice.source.rank, right.choice.title, right.choice.channel)
    }
    return sorted.prefix(ChannelSearch.limit).map(\.choice)
  }

  /// What names are compared with.
  private struct Wanted {
    private let whole: NormalizedName
    private let words: [NormalizedName]

    init(_ text: String) {
      whole = NormalizedName(text)
      words = text.split(separator: " ").map { NormalizedName(String($0)) }.filter { !$0.joined.isEmpty }
    }

    /// How well a name matches, the lowest best; nil if it does not.
    func match(_ title: String) -> Int? {
      let name = NormalizedName(title)
      if let match = name.match(whole) {
        // Punctuation alone would match too many names.
        return match == .equal || !whole.joined.isEmpty ? match.rawValue : nil
      }
      if !whole.joined.isEmpty, name.joined == whole.joined { return Wanted.written }
      guard words.count > 1, words.allSatisfy({ name.match($0) != nil }) else { return nil }
      return Wanted.everyWord
    }

    /// The ranks of a name that is written apart or together, and of one with the words in another order.
    private static let (written, everyWord) = (1, 4)
  }
}

extension ChannelMatch.Source {
  /// The order of those that match equally well.
  fileprivate var rank: Int {
    switch self {
    case .followed: 0
    case .unfollowed: 1
    case .seen: 2
    case .youTube: 3
    }
  }
}
