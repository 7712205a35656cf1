import ArgumentParser
import Core

/// What a shell offers when a person presses the tab key.
enum Completion {
  /// The titles of what is followed.
  static let channels = CompletionKind.custom { _, _, prefix in
    titles().filter { isBegun(by: prefix, $0) }
  }

  /// The tags in use.
  static let tags = CompletionKind.custom { _, _, prefix in
    let tags = state()?.followed.flatMap(\.tags) ?? []
    return Set(tags).sorted().filter { isBegun(by: prefix, $0) }
  }

  /// The names of collections.
  static let collections = CompletionKind.custom { _, _, prefix in
    let names = state().map { Array($0.collections.keys) } ?? []
    return (names + [CollectionArgument.saved]).sorted().filter { isBegun(by: prefix, $0) }
  }

  private static func titles() -> [String] {
    (state()?.followed ?? []).map { DisplayText($0.title).text }.sorted()
  }

  private static func isBegun(by prefix: String, _ text: String) -> Bool {
    text.lowercased().hasPrefix(prefix.lowercased())
  }

  /// The state, read without a word on what may be wrong with it: this is no place to tell.
  private static func state() -> State? {
    guard let options = try? CommonOptions.parse([]) else { return nil }
    return try? Session(options, tells: false).state
  }
}
