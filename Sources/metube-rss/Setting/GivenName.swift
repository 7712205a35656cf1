import Core

/// A name that a person gives to something: without blanks around it, and with nothing in it that cannot be seen, for it
/// is shown everywhere and typed again.
struct GivenName {
  let text: String

  /// Throws with 64 where a text can be no name; `what` it is a name of.
  init(_ typed: String, of what: String) throws {
    text = typed.trimmed
    guard !FoldedName(text).isEmpty else { throw Failure(.usage, "a \(what) needs a name") }
    guard !text.unicodeScalars.contains(where: \.isUnseen) else {
      let shown = DisplayText(text).text
      throw Failure(.usage, "\(shown): a \(what) takes no control characters, nor any that turn the direction of text")
    }
  }
}

extension Unicode.Scalar {
  /// Whether it does something to a line other than to be seen in it.
  fileprivate var isUnseen: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}

/// The tags that channels have.
struct TagNames {
  private var spellings: [FoldedName: [String]] = [:]

  init(_ state: State) {
    for tag in Set(state.channels.values.flatMap(\.tags)).sorted() {
      spellings[FoldedName(tag), default: []].append(tag)
    }
  }

  /// The tags that a name means, in all their spellings; none where no channel has one.
  func spelt(_ name: String) -> [String] { spellings[FoldedName(name)] ?? [] }

  /// The tags that a name means; where no channel has one now, the name as it stands, which may be one's tomorrow.
  func speltOrNew(_ name: String) -> [String] { spellings[FoldedName(name)] ?? [name] }

  /// The tags that a name means. Throws where no channel has one.
  func resolve(_ name: String) throws -> [String] {
    guard let found = spellings[FoldedName(name)] else {
      throw Failure(.inPart, "\(DisplayText(name).text): no channel has this tag; see metube-rss channels")
    }
    return found
  }

  /// A tag to give, in the spelling that it has already elsewhere.
  func given(_ name: String) throws -> String {
    let text = try GivenName(name, of: "tag").text
    let known = spelt(text)
    return known.contains(text) ? text : known.first ?? text
  }
}
