import ArgumentParser

/// The value of `--limit`: the most rows a command shows or writes.
struct Limit: ExpressibleByArgument, ExpressibleByIntegerLiteral {
  /// The number of rows; 0 is all.
  let count: Int

  /// A command's default limit, 0 or more.
  init(integerLiteral count: Int) { self.count = count }

  /// The limit as typed; nil if it is not a number or is negative.
  init?(argument: String) {
    guard let count = Int(argument), count >= 0 else { return nil }
    self.count = count
  }

  /// The default limit as shown in help.
  var defaultValueDescription: String { String(count) }
}
