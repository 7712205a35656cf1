import Core

/// Lets a video ID that begins with `-` pass the argument parser: whatever matches the ID pattern is an ID, never an
/// option. Every option and argument that takes text therefore has `transform: ArgumentShield.unguarded`.
enum ArgumentShield {
  /// The prefix of such an ID while the parser runs: a control character that nobody types.
  private static let mark: Character = "\u{1}"

  /// The arguments with every such ID marked. After `--` no mark is needed.
  static func guardIDs(in arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.count
    return arguments.enumerated().map { position, argument in
      position < end && argument.hasPrefix("-") && VideoID(argument) != nil ? "\(mark)\(argument)" : argument
    }
  }

  /// The argument as typed.
  static func unguarded(_ argument: String) -> String {
    argument.first == mark ? String(argument.dropFirst()) : argument
  }

  /// A parser message with its arguments as typed.
  static func removeGuards(from message: String) -> String { message.filter { $0 != mark } }
}
