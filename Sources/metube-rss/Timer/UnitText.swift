/// Texts as a unit file of systemd's takes them, systemd.syntax(7) and systemd.unit(5). A line cannot hold a line break.
enum UnitText {
  /// Stands at the beginning of a path for the home of whoever's manager reads the unit.
  static let anyHome = "/@home@"

  /// A word of a list, such as `Environment=` and `ReadWritePaths=` take: in quotes where it needs them.
  static func word(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "/._-%+@:=,$".contains($0) }
    let quoted = "\"" + text.flatMap { "\\\"".contains($0) ? ["\\", $0] : [$0] } + "\""
    return specified(isPlain ? text : quoted)
  }

  /// An argument of a command line, where a `$` would begin a variable, systemd.service(5). The program's own path is
  /// a mere word.
  static func argument(_ text: String) -> String { word(doubled("$", in: text)) }

  /// The file of `EnvironmentFile=`: to the end of the line, without quotes, but a pattern of glob(7).
  static func file(_ path: String) -> String {
    specified(String(path.flatMap { "*?[\\".contains($0) ? ["\\", $0] : [$0] }))
  }

  /// The text with every `%` kept from being a specifier, and with the one for a home that is not known yet.
  private static func specified(_ text: String) -> String {
    let text = doubled("%", in: text)
    return text.hasPrefix(anyHome) ? "%h" + text.dropFirst(anyHome.count) : text
  }

  private static func doubled(_ letter: Character, in text: String) -> String {
    String(text.flatMap { $0 == letter ? [$0, $0] : [$0] })
  }
}
