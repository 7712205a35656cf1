import Core

/// Lets an id that begins with `-` through the parser of the command line: what matches the id pattern is an id, never
/// an option. So every option and argument that takes a text has `transform: ArgumentShield.unguarded`.
enum ArgumentShield {
  /// Stands before such an id while the parser reads it; a control character that nobody types.
  private static let mark: Character = "\u{1}"

  /// The arguments with every such id marked. Behind `--` nothing needs it.
  static func guardIDs(in arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.count
    return arguments.enumerated().map { position, argument in
      position < end && argument.hasPrefix("-") && VideoID(argument) != nil ? "\(mark)\(argument)" : argument
    }
  }

  /// The argument as it was typed.
  static func unguarded(_ argument: String) -> String {
    argument.first == mark ? String(argument.dropFirst()) : argument
  }

  /// A message of the parser with the arguments in it as they were typed.
  static func removeGuards(from message: String) -> String { message.filter { $0 != mark } }
}
