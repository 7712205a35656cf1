import ArgumentParser
import Core
import Platform

/// Lets a video ID that begins with `-` pass the argument parser: whatever matches the ID pattern is an ID, never an
/// option. Every option and argument that takes text is therefore declared with `text:`, its help.
package enum DashIDArguments {
  /// The prefix of such an ID while the parser runs: a control character that is never typed.
  private static let mark: Character = "\u{1}"

  /// The arguments with every such ID marked. After `--` no mark is needed.
  package static func guardIDs(in arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.count
    return arguments.enumerated().map { position, argument in
      position < end && argument.hasPrefix("-") && VideoID(argument) != nil ? "\(mark)\(argument)" : argument
    }
  }

  /// The argument as typed.
  @Sendable static func unguarded(_ argument: String) -> String {
    argument.first == mark ? String(argument.dropFirst()) : argument
  }

  /// A parser message with its arguments as typed.
  package static func removeGuards(from message: String) -> String { message.filter { $0 != mark } }
}

/// Options that take text; `text` is their help, and `value` the name of the value in it.
extension Option {
  package init(
    name: NameSpecification = .long, text: String, value: String? = nil, completion: CompletionKind? = nil
  ) where Value == String? {
    self.init(
      name: name, help: ArgumentHelp(text, valueName: value), completion: completion,
      transform: DashIDArguments.unguarded)
  }

  package init(
    wrappedValue: [String], name: NameSpecification = .long, text: String, value: String? = nil,
    completion: CompletionKind? = nil
  ) where Value == [String] {
    self.init(
      wrappedValue: wrappedValue, name: name, help: ArgumentHelp(text, valueName: value), completion: completion,
      transform: DashIDArguments.unguarded)
  }
}

/// Arguments that take text; `text` is their help, and `value` the name of the value in it.
extension Argument {
  package init(text: String, value: String, completion: CompletionKind? = nil) where Value == String {
    let help = ArgumentHelp(text, valueName: value)
    self.init(help: help, completion: completion, transform: DashIDArguments.unguarded)
  }

  package init(text: String, value: String) where Value == String? {
    let help = ArgumentHelp(text, valueName: value)
    self.init(help: help, transform: DashIDArguments.unguarded)
  }

  package init(text: String, value: String, completion: CompletionKind? = nil) where Value == [String] {
    let help = ArgumentHelp(text, valueName: value)
    self.init(help: help, completion: completion, transform: DashIDArguments.unguarded)
  }

  package init(wrappedValue: [String], text: String, value: String, completion: CompletionKind)
  where Value == [String] {
    let help = ArgumentHelp(text, valueName: value)
    self.init(wrappedValue: wrappedValue, help: help, completion: completion, transform: DashIDArguments.unguarded)
  }
}

/// A hint for text beginning with `-` that was parsed as an option.
package enum DashHint {
  /// A hint line for the parser's error about these arguments; nil if no such text caused it.
  package static func hint(for complaint: String, _ arguments: [String]) -> String? {
    if let option = quoted(after: "Missing value for '", in: complaint)?.split(separator: " ").first.map(String.init),
      let position = arguments.firstIndex(of: option), position + 1 < arguments.count,
      arguments[position + 1].hasPrefix("-")
    {
      return "If the value begins with -, write \(option)='\(arguments[position + 1])'"
    }
    // A one-letter option, or one with a space, is not a mistyped option name.
    if let option = quoted(after: "Unknown option '", in: complaint),
      let text = arguments.first(where: { $0 == option || $0.hasPrefix(option) && !$0.hasPrefix("--") }),
      text.contains(where: \.isWhitespace) || !text.hasPrefix("--") && text.utf8.count > 2
    {
      return "If the text begins with -, put it last, after --: … -- \(ShellWords.quoted(text))"
    }
    return nil
  }

  /// The text between `beginning` and the line's last quote, since the text may contain quotes.
  private static func quoted(after beginning: String, in complaint: String) -> String? {
    let line = complaint.prefix { $0 != "\n" }
    guard let start = line.firstRange(of: beginning)?.upperBound else { return nil }
    let rest = line[start...]
    return rest.lastIndex(of: "'").map { String(rest[..<$0]) }
  }
}
