import ArgumentParser
import Core

/// What a shell offers when a person presses the tab key.
enum Completion {
  /// The titles of what is followed.
  static let channels = CompletionKind.custom { _, _, prefix in
    offered(titles(), prefix)
  }

  /// The tags in use.
  static let tags = CompletionKind.custom { _, _, prefix in
    let tags = state()?.followed.flatMap(\.tags) ?? []
    return offered(Set(tags).sorted(), prefix)
  }

  /// The names of collections.
  static let collections = CompletionKind.custom { _, _, prefix in
    let names = state().map { Array($0.collections.keys) } ?? []
    return offered((names + [CollectionArgument.saved]).sorted(), prefix)
  }

  private static func titles() -> [String] {
    (state()?.followed ?? []).map(\.title).sorted()
  }

  /// Those that begin so, as the shell that asks reads them.
  private static func offered(_ texts: [String], _ prefix: String) -> [String] {
    let beginnings = [prefix, unquoted(prefix)].map { $0.lowercased() }
    return texts.map { DisplayText($0).text }
      .filter { text in beginnings.contains { text.lowercased().hasPrefix($0) } }
      .filter { !isRun($0) }.map(written)
  }

  /// Whether bash would run or replace some of a text: the line editor quotes what it puts on the command line as it
  /// quotes names of files, and leaves $ and backticks as they are. Seen in bash 5.2, 2026-11-21.
  private static func isRun(_ text: String) -> Bool {
    CompletionShell.requesting == .bash && text.contains { $0 == "$" || $0 == "`" }
  }

  /// What `two\ w` or `'two w` begins, which bash and zsh hand over as it was typed.
  private static func unquoted(_ prefix: String) -> String {
    var rest = prefix[...]
    if let quote = rest.first, quote == "'" || quote == "\"" { rest.removeFirst() }
    var text = ""
    while let letter = rest.popFirst() {
      if letter == "\\", let escaped = rest.popFirst() { text.append(escaped) } else { text.append(letter) }
    }
    return text
  }

  /// One offer, so that the shell finds no more in it than a text: titles come from outside.
  private static func written(_ text: String) -> String {
    switch CompletionShell.requesting {
    // `compgen -W` expands each word, with all that a command line may hold: $(…) would be run.
    case .bash: "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
    // `_describe` takes what follows a colon as the description.
    case .zsh: String(text.flatMap { $0 == ":" || $0 == "\\" ? ["\\", $0] : [$0] })
    default: text
    }
  }

  /// The state, read without a word on what may be wrong with it: this is no place to tell.
  private static func state() -> State? {
    guard let options = try? CommonOptions.parse([]) else { return nil }
    return try? Session(options, tells: false).state
  }
}
