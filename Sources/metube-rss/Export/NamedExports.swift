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

  /// The folders that the named exports write to; what cannot be understood names none, and the poll that would write
  /// it says so.
  static func folders(_ settings: Settings) -> [String] {
    let lines = settings.names(beginningWith: "EXPORT").compactMap { settings[$0] }
    return lines.compactMap { (try? command($0, home: nil))?.writtenFolder }
  }

  /// The command that a line stands for; `home` is the folder of `--home`. Throws where it is none, or writes no file.
  private static func command(_ line: String, home: String?) throws -> any FileWriting {
    guard var words = CommandWords.split(line, home: Environment.variables()["HOME"]) else {
      throw Failure(.usage, "a quote is left open")
    }
    if let home { words += ["--home", home] }
    let command = try ExportCommand.parseAsRoot(ArgumentShield.guardIDs(in: words))
    guard let writing = command as? any FileWriting, writing.writtenFolder != nil else {
      throw Failure(.usage, "it has to say where to: --output FILE")
    }
    return writing
  }

  private func refresh(_ line: String) throws {
    var command = try NamedExports.command(line, home: folder)
    if let export = command as? any ExportingCommand {
      _ = try export.export(session)
    } else {
      try command.run()
    }
  }
}

/// A command whose results can go to files.
protocol FileWriting: ParsableCommand {
  /// The folder they go to; nil where they go to standard output.
  var writtenFolder: String? { get }
}

extension FileWriting {
  /// The folder of a file that is replaced as a whole: where a link leads, that one's.
  static func folder(ofFile path: String?) -> String? {
    path.map { path in
      let path = TimerPlace.absolute(path)
      guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
      return String(path[..<slash])
    }
  }
}
