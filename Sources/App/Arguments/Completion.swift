import App
import ArgumentParser
import Core
import Messages
import Platform
import ReadModel

/// Shell completion.
package enum Completion {
  /// Titles of followed channels and playlists.
  package static let channels = CompletionKind.custom { _, _, prefix in
    offered(titles(), prefix)
  }

  /// Tags in use.
  package static let tags = CompletionKind.custom { _, _, prefix in
    let tags = state()?.followed.flatMap(\.tags) ?? []
    return offered(Set(tags).sorted(), prefix)
  }

  /// Collection names.
  package static let collections = CompletionKind.custom { _, _, prefix in
    let names = session().flatMap { session in try? session.query { Array(try $0.collections().keys) } } ?? []
    return offered((names + [NamedCollection.saved]).sorted(), prefix)
  }

  /// Row numbers of the last table, with titles where the shell shows them.
  package static let videos = CompletionKind.custom { _, _, prefix in
    guard let session = session(), let table = try? NumberedTable(session) else { return [] }
    // A number is offered without a title rather than not at all.
    return described(table.videos.map { (try? session.title(of: $0)) ?? "" }, prefix)
  }

  /// Numbers of rules, with their conditions where the shell shows them.
  package static let rules = CompletionKind.custom { _, _, prefix in
    guard let state = state() else { return [] }
    return described(state.rules.map { UserMessages.rule($0, in: state) }, prefix)
  }

  /// The numbers from 1 that begin with `prefix`, with what each stands for.
  private static func described(_ texts: [String], _ prefix: String) -> [String] {
    texts.enumerated().map { (number: String($0 + 1), text: DisplayText($1).text) }
      .filter { $0.number.hasPrefix(prefix) }
      .map { number, text in
        switch CompletionShell.requesting {
        case .zsh: "\(number):\(text)"
        case .fish: "\(number)\t\(text)"
        default: number
        }
      }
  }

  private static func titles() -> [String] {
    (state()?.followed ?? []).map(\.title).sorted()
  }

  /// The texts that begin with `prefix`, quoted for the requesting shell.
  private static func offered(_ texts: [String], _ prefix: String) -> [String] {
    let beginnings = [prefix, unquoted(prefix)].map { $0.lowercased() }
    return texts.map { DisplayText($0).text }
      .filter { text in beginnings.contains { text.lowercased().hasPrefix($0) } }
      .filter { !isRun($0) }.map(written)
  }

  /// Whether bash would expand part of a text: its line editor quotes completions like file names, which leaves $ and
  /// backticks unquoted. Seen in bash 5.2, 2026-11-21.
  private static func isRun(_ text: String) -> Bool {
    CompletionShell.requesting == .bash && text.contains { $0 == "$" || $0 == "`" }
  }

  /// The text typed as `two\ w` or `'two w`, which bash and zsh pass on unchanged.
  private static func unquoted(_ prefix: String) -> String {
    var rest = prefix[...]
    if let quote = rest.first, quote == "'" || quote == "\"" { rest.removeFirst() }
    var text = ""
    while let letter = rest.popFirst() {
      if letter == "\\", let escaped = rest.popFirst() { text.append(escaped) } else { text.append(letter) }
    }
    return text
  }

  /// One completion, escaped so that the shell takes it literally: titles are untrusted.
  private static func written(_ text: String) -> String {
    switch CompletionShell.requesting {
    // `compgen -W` expands each word like a command line: $(…) would run.
    case .bash: ShellWords.quoted(text)
    // `_describe` treats the text after a colon as the description.
    case .zsh: String(text.flatMap { $0 == ":" || $0 == "\\" ? ["\\", $0] : [$0] })
    default: text
    }
  }

  /// A session that reports nothing, nil if it cannot be opened. Here and above, a failure offers nothing: messages would
  /// disturb the command line, and the command itself reports the failure.
  private static func session() -> Session? {
    guard let options = try? CommonOptions.parse([]) else { return nil }
    return try? Session(options, reports: false)
  }

  private static func state() -> State? { try? session()?.state }
}
