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
      // Silent unless it fails: cron mails whatever a poll prints.
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
  private static func command(_ line: String, home: String?) throws -> any ExportingCommand {
    guard var words = ShellWords.split(line, home: Environment.variables()["HOME"]) else {
      throw Failure(.usage, "unclosed quote")
    }
    let names = ExportCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard let name = words.first, names.contains(name) else {
      throw Failure(.usage, "“\(words.first ?? "")” is not an export; use one of \(names.joined(separator: ", "))")
    }
    if let home { words += ["--home", home] }
    let command = try ExportCommand.parseAsRoot(DashIDArguments.guardIDs(in: words))
    guard let export = command as? any ExportingCommand, export.writtenFolder != nil else {
      throw Failure(.usage, "no output file; add --output FILE")
    }
    return export
  }

  private func refresh(_ line: String) throws {
    _ = try NamedExports.command(line, home: folder).export(session)
  }
}
