import Core

/// What is broken in one log file, so that people can be told.
package struct LogDamage: Equatable, Sendable {
  /// The name of the file without its folder: `k3v9x2ap.jsonl`.
  package var file: String
  /// Whether it is one of the catalogue, which other users share.
  package var isOfCatalogue: Bool
  package var kind: Kind

  package init(file: String, isOfCatalogue: Bool, kind: Kind) {
    (self.file, self.isOfCatalogue, self.kind) = (file, isOfCatalogue, kind)
  }

  package enum Kind: Equatable, Sendable {
    /// Some lines are broken; the first one and how many, as far as that is known.
    case lines(first: LogPosition?, count: Int)
    /// It lacks events that its device wrote.
    case lost
    case unreadable
  }
}

extension Journal {
  /// What is broken in the logs as last read, by name.
  package var damagedLogs: [LogDamage] {
    var damage: [LogDamage] = []
    for (_, file) in current.sorted(by: { $0.key < $1.key }) {
      if let found = LogDamage(of: file, isOfCatalogue: file.isOfCatalogue) { damage.append(found) }
    }
    if loss != nil, let ownName { damage.append(LogDamage(file: ownName, isOfCatalogue: false, kind: .lost)) }
    return damage + unreadable.map { LogDamage(file: Directory.name(of: $0), isOfCatalogue: false, kind: .unreadable) }
  }
}

extension LogDamage {
  /// What is broken in a file as it was read; nil if nothing is.
  init?(of file: LogFile, isOfCatalogue: Bool) {
    guard let first = file.brokenLines.first else { return nil }
    self.init(
      file: Directory.name(of: file.path), isOfCatalogue: isOfCatalogue,
      kind: .lines(first: first, count: file.brokenLines.count))
  }

  /// Reads a whole file; nil if nothing of it is broken, or if it is gone meanwhile.
  package static func read(_ path: String, isOfCatalogue: Bool) -> LogDamage? {
    do throws(LogError) {
      let file = try LogFile(File(path, .read), name: Directory.name(of: path), index: 0)
      try file.readOn { _, _ in }
      return LogDamage(of: file, isOfCatalogue: isOfCatalogue)
    } catch {
      if error.isMissing { return nil }
      return LogDamage(file: Directory.name(of: path), isOfCatalogue: isOfCatalogue, kind: .unreadable)
    }
  }
}
