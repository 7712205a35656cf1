/// Escaping for systemd unit files, systemd.syntax(7) and systemd.unit(5). A value cannot contain a line break.
enum UnitText {
  /// A path prefix that stands for the home of the unit's user.
  static let anyHome = "/@home@"

  /// A word of a list, for `Environment=` or `ReadWritePaths=`; quoted if necessary.
  static func word(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "/._-%+@:=,$".contains($0) }
    let quoted = "\"" + text.flatMap { "\\\"".contains($0) ? ["\\", $0] : [$0] } + "\""
    return specified(isPlain ? text : quoted)
  }

  /// A command line argument, in which an unescaped `$` would begin a variable, systemd.service(5). For the program's
  /// path use `word`.
  static func argument(_ text: String) -> String { word(doubled("$", in: text)) }

  /// The path for `EnvironmentFile=`: extends to the end of the line, unquoted, and is a glob(7) pattern.
  static func file(_ path: String) -> String {
    specified(String(path.flatMap { "*?[\\".contains($0) ? ["\\", $0] : [$0] }))
  }

  /// The text with each `%` escaped, and `anyHome` replaced by the specifier `%h`.
  private static func specified(_ text: String) -> String {
    let text = doubled("%", in: text)
    return text.hasPrefix(anyHome) ? "%h" + text.dropFirst(anyHome.count) : text
  }

  private static func doubled(_ letter: Character, in text: String) -> String {
    String(text.flatMap { $0 == letter ? [$0, $0] : [$0] })
  }
}
