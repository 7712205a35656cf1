import ArgumentParser

/// The exports that a poll refreshes at its end: the settings `METUBE_RSS_EXPORT` and `METUBE_RSS_EXPORT_<NAME>`, each
/// what would follow `metube-rss export`.
struct NamedExports {
  private let session: Session
  /// The folder of `--home`, where one was given.
  private let folder: String?

  /// The exports of a session's settings.
  init(_ session: Session, folder: String?) {
    self.session = session
    self.folder = folder
  }

  /// Refreshes them, each for itself: one that fails is told, and keeps no other from being written.
  func refresh() {
    for name in session.settings.names(beginningWith: "EXPORT") where name == "EXPORT" || name.hasPrefix("EXPORT_") {
      guard let line = session.settings[name] else { continue }
      do { try refresh(line) } catch let failure as Failure {
        Messages.tell("METUBE_RSS_\(name): \(failure.message)")
      } catch {
        Messages.tell("METUBE_RSS_\(name): \(ExportCommand.message(for: error))")
      }
    }
  }

  /// The folders that the named exports write to; what cannot be understood names none.
  static func folders(_ settings: Settings) -> [String] {
    let home = Environment.variables()["HOME"]
    let lines = settings.names(beginningWith: "EXPORT").compactMap { settings[$0] }
    return lines.flatMap { folders(CommandWords.split($0, home: home) ?? []) }
  }

  private static func folders(_ words: [String]) -> [String] {
    zip(words, words.dropFirst()).compactMap { option, value in
      switch option {
      case "--all-tags": return value
      case "--output", "-o":
        let slash = value.lastIndex(of: "/")
        return slash.map { String(value[..<$0]) } ?? "."
      default: return nil
      }
    }
  }

  private func refresh(_ line: String) throws {
    let home = Environment.variables()["HOME"]
    guard var words = CommandWords.split(line, home: home) else { throw Failure(.usage, "a quote is left open") }
    guard words.contains(where: { $0.hasPrefix("--output") || $0.hasPrefix("-o") || $0.hasPrefix("--all-tags") }) else {
      throw Failure(.usage, "it has to say where to: --output FILE")
    }
    if let folder { words += ["--home", folder] }
    var command = try ExportCommand.parseAsRoot(ArgumentShield.guardIDs(in: words))
    if let export = command as? any ExportingCommand {
      _ = try export.export(session)
    } else {
      try command.run()
    }
  }
}
