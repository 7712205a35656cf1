/// A search for words in the titles, channels and descriptions of many videos.
///
/// What the index says for certain is taken as said, everything else is looked up in the texts. It remembers what it
/// saw of channels and how many texts the index lacked, which is why it has an identity.
package final class TextSearch {
  private let words: SearchWords
  private let index: TextIndex
  private let places: [WordPlaces]
  /// For each word, whether the channel's title has it.
  private var channels: [ChannelID: [Bool]] = [:]
  /// How many texts had to be read because the index does not know them.
  package private(set) var unknownTexts = 0

  /// A search in an index.
  package init(_ words: SearchWords, in index: TextIndex) {
    self.words = words
    let whole = TextIndex(index.segments.filter(\.isWhole))
    self.index = whole
    places = words.words.map { WordPlaces(SoughtWord($0), in: whole) }
  }

  /// Whether every word is in a video's title, its channel's or its description; `description` gives that one's text
  /// as `NormalizedText` folds it.
  package func matches(_ video: Video, in state: State, description: (Video) -> [UInt8]) -> Bool {
    let title = place(of: video.titleKey)
    let body = video.description.map { place(of: TextKey($0)) }
    var isCertain = true
    for (index, word) in places.enumerated() {
      let inTitle = title.map(word.has) ?? nil
      // Where there is no description, nothing is in it.
      let inBody = body.map { $0.map(word.has) ?? nil } ?? false
      if inTitle == true || inBody == true || isInChannel(of: video, word: index, state) { continue }
      if inTitle == false, inBody == false { return false }
      isCertain = false
    }
    return isCertain || matches(video, state.channelTitle(of: video), description)
  }

  /// Which of a state's videos can match, as far as the index knows.
  package func rows(of state: State) -> SievedRows? {
    guard !places.isEmpty, places.count <= TextSieve.mostConditions else { return nil }
    var channels: [ChannelID: UInt64] = [:]
    // A channel without a title has the names its videos came with.
    for case (.channel(let id), let channel) in state.channels where channel.hasTitle {
      let matches = words.matches([channel.title])
      channels[id] = matches.indices.reduce(0) { matches[$1] ? $0 | 1 << UInt64($1) : $0 }
    }
    let conditions = places.map { places in
      TextSieve.Condition(documents: places.documents, isCertain: places.isCertain, holdsWithout: false)
    }
    return TextSieve(index: index, conditions: conditions, channels: ChannelMarks(channels)).rows(of: state.videos)
  }

  private func place(of key: TextKey) -> TextIndex.Place? {
    let place = index.place(of: key)
    if place == nil { unknownTexts += 1 }
    return place
  }

  private func isInChannel(of video: Video, word: Int, _ state: State) -> Bool {
    if let known = channels[video.channel] { return known[word] }
    // Without a title of its own it has the name that each of its videos came with.
    guard state.channels[.channel(video.channel)]?.hasTitle == true else {
      return words.matches([state.channelTitle(of: video)])[word]
    }
    let matches = words.matches([state.channelTitle(of: video)])
    channels[video.channel] = matches
    return matches[word]
  }

  private func matches(_ video: Video, _ channel: String, _ description: (Video) -> [UInt8]) -> Bool {
    let missing = zip(words.words, words.matches([video.title, channel])).filter { !$1 }.map(\.0)
    if missing.isEmpty { return true }
    let folded = description(video)
    return missing.allSatisfy { SearchWords.occurs($0, in: folded.span) }
  }
}
