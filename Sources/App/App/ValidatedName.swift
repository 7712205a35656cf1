import Core
import Messages

/// A name chosen by the user: trimmed, and without invisible characters, because it is displayed and typed again.
package struct ValidatedName {
  package let text: String

  /// Throws if the text is not a valid name of such a thing.
  package init(_ typed: String, of thing: NamedThing) throws(AppError) {
    text = String(typed.withoutBlanks)
    guard !NormalizedName(text).isEmpty else { throw .emptyName(of: thing) }
    guard !text.unicodeScalars.contains(where: \.isUnseen) else {
      throw .unseenCharacters(text, of: thing)
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is a control, separator or bidirectional formatting character.
  fileprivate var isUnseen: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}

/// The tags in use on channels.
package struct TagNames {
  private var spellings: [NormalizedName: [String]] = [:]

  package init(_ state: State) {
    for tag in Set(state.channels.values.flatMap(\.tags)).sorted() {
      spellings[NormalizedName(tag), default: []].append(tag)
    }
  }

  /// All spellings of a tag; empty if no channel has it.
  package func spelt(_ name: String) -> [String] { spellings[NormalizedName(name)] ?? [] }

  /// All spellings of a tag; the name itself if no channel has it yet.
  package func speltOrNew(_ name: String) -> [String] { spellings[NormalizedName(name)] ?? [name] }

  /// All spellings of a tag. Throws if no channel has it.
  func resolve(_ name: String) throws(AppError) -> [String] {
    guard let found = spellings[NormalizedName(name)] else {
      throw .unknownTag(name)
    }
    return found
  }

  /// A tag to assign, in its existing spelling if it is in use. Throws if the name is invalid.
  package func given(_ name: String) throws(AppError) -> String {
    let text = try ValidatedName(name, of: .tag).text
    let known = spelt(text)
    return known.contains(text) ? text : known.first ?? text
  }
}
