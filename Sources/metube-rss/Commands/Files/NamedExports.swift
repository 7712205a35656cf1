import ArgumentParser

/// The exports that a poll refreshes when it ends: the settings `METUBE_RSS_EXPORT` and `METUBE_RSS_EXPORT_<NAME>`,
/// each holding the arguments of `metube-rss export`.
struct NamedExports {
  private let session: Session
  /// The folder given with `--home`, if any.
  private let folder: String?

  /// The exports in a session's settings.
  init(_ session: Session, folder: String?) {
    self.session = session
    self.folder = folder
  }

  /// Refreshes each export; reports a failure and continues with the others.
  func refresh() {
    for name in session.settings.names(beginningWith: "EXPORT") where name == "EXPORT" || name.hasPrefix("EXPORT_") {
      guard let line = session.settings[name] else { continue }
      do { try refresh(line) } catch let failure as Failure {
        StandardError.report("METUBE_RSS_\(name): \(failure.message)")
      } catch {
        StandardError.report("METUBE_RSS_\(name): \(ExportCommand.message(for: error))")
      }
    }
  }

  /// The folders that the named exports write to. Skips invalid exports, which the poll that refreshes them reports.
  static func folders(_ settings: Settings) -> [String] {
    let lines = settings.names(beginningWith: "EXPORT").compactMap { settings[$0] }
    return lines.compactMap { (try? command($0, home: nil))?.writtenFolder }
  }

  /// Parses a setting into its command; `home` is the folder of `--home`. Throws if it is invalid or writes no file.
  private static func command(_ line: String, home: String?) throws -> any FileWriting {
    guard var words = ShellWords.split(line, home: Environment.variables()["HOME"]) else {
      throw Failure(.usage, "unclosed quote")
    }
    if let home { words += ["--home", home] }
    let command = try ExportCommand.parseAsRoot(DashIDArguments.guardIDs(in: words))
    guard let writing = command as? any FileWriting, writing.writtenFolder != nil else {
      throw Failure(.usage, "no output file; add --output FILE")
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
