import ArgumentParser

/// How many rows a command shows or writes at most: what `--limit` takes.
struct Limit: ExpressibleByArgument, ExpressibleByIntegerLiteral {
  /// The number; 0 is all.
  let count: Int

  /// A limit that is a command's own; of 0 or more.
  init(integerLiteral count: Int) { self.count = count }

  /// The limit that was typed; nil where it is no number or below 0.
  init?(argument: String) {
    guard let count = Int(argument), count >= 0 else { return nil }
    self.count = count
  }

  /// How a command's own limit stands in its help.
  var defaultValueDescription: String { String(count) }
}
