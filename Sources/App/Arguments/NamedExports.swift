import App
import ArgumentParser
import Core
import Messages
import Platform

/// The exports that a poll refreshes when it ends: the settings `METUBE_RSS_EXPORT` and `METUBE_RSS_EXPORT_<NAME>`,
/// each holding the arguments of `metube-rss export`.
package enum NamedExports {
  /// Refreshes each export; reports a failure and continues with the others. `home` is the folder of `--home`.
  package static func refresh(_ session: Session, home: String?) {
    for name in session.settings.names(beginningWith: "EXPORT") where name == "EXPORT" || name.hasPrefix("EXPORT_") {
      guard let line = session.settings[name] else { continue }
      // Silent unless it fails: cron mails whatever a poll prints.
      do { _ = try command(line, home: home).export(session) } catch let error as AppError {
        StandardError.report("METUBE_RSS_\(name): \(UserMessages.text(of: error))")
      } catch let failure as Failure {
        StandardError.report("METUBE_RSS_\(name): \(failure.message)")
      } catch {
        StandardError.report("METUBE_RSS_\(name): \(ExportCommand.message(for: error))")
      }
    }
  }

  /// The folders that the named exports write to. Skips invalid exports, which the poll that refreshes them reports.
  package static func folders(_ settings: Settings) -> [String] {
    let lines = settings.names(beginningWith: "EXPORT").compactMap { settings[$0] }
    return lines.compactMap { (try? command($0, home: nil))?.writtenFolder }
  }

  /// Parses a setting into its command; `home` is the folder of `--home`. Throws if it is invalid or writes no file.
  private static func command(_ line: String, home: String?) throws -> any ExportingCommand {
    guard var arguments = ShellWords.split(line, home: Environment.variables()["HOME"]) else {
      throw Failure(.usage, "unclosed quote")
    }
    guard let name = arguments.first, ExportCommand.formats.contains(name) else {
      let names = ExportCommand.formats.joined(separator: ", ")
      throw Failure(.usage, "“\(arguments.first ?? "")” is not an export; use one of \(names)")
    }
    if let home { arguments += ["--home", home] }
    let command = try ExportCommand.parseAsRoot(DashIDArguments.guardIDs(in: arguments))
    guard let export = command as? any ExportingCommand, export.writtenFolder != nil else {
      throw Failure(.usage, "no output file; add --output FILE")
    }
    return export
  }
}
