import App
import ArgumentParser
import Platform
import Sync

/// Options common to all commands.
package struct CommonOptions: ParsableArguments {
  @Option(
    text: "Keep log, state, cache and settings in this folder (default: the XDG folders).", value: "dir",
    completion: .directory)
  package var home: String?

  package init() {}
}

/// Pager options.
package struct PagerOptions: ParsableArguments {
  @Flag(inversion: .prefixedNo, help: "Page the output with METUBE_RSS_PAGER, PAGER or less (default: on a terminal).")
  package var pager: Bool?

  package init() {}
}

/// A command on the user's files that prints its result on standard output.
package protocol SessionCommand: ParsableCommand {
  var common: CommonOptions { get }
  /// Whether to report recoverable problems of the files when they are opened.
  static var reportsFindings: Bool { get }
  /// Whether what the command changed is sent to the hub once it ends.
  static var sendsAfterwards: Bool { get }
  /// Runs the command. What it has printed when it throws an `ExitStatus` is written too.
  func run(in session: Session, to output: inout Output) throws
}

extension SessionCommand {
  package static var reportsFindings: Bool { true }
  package static var sendsAfterwards: Bool { true }

  package func run() throws { try run { try run(in: $0, to: &$1) } }

  /// Runs `body` as the command.
  package func run(_ body: (Session, inout Output) throws -> Void) throws {
    let session = try Session(common, reports: Self.reportsFindings)
    session.showTimes()
    defer { if Self.sendsAfterwards { BackgroundSync.start(session, home: common.home) } }
    var output = Output()
    do { try body(session, &output) } catch let status as ExitStatus {
      try output.finish()
      throw status
    }
    try output.finish()
    // What was shown lacks what the log lost, which was reported above.
    if Self.reportsFindings, session.hasLostLog { throw ExitStatus.disk }
  }
}

/// A command with long output, which goes through a pager on a terminal.
package protocol PagedCommand: SessionCommand {
  var paging: PagerOptions { get }
}

/// An output format.
package enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, jsonl, json, csv, tsv, ids, urls
}

/// The format of a report that is not a table.
package enum ReportFormat: String, CaseIterable, ExpressibleByArgument { case text, json }

/// When to use colour.
package enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}

/// Options of commands that print rows.
package struct FormatOptions: ParsableArguments {
  @Option(help: "Output format: table, jsonl, json, csv, tsv, ids or urls.") package var format: OutputFormat = .table

  @Option(help: "When to use colour and links in tables: auto, always or never.") package var color: ColorChoice = .auto

  package init() {}
}

extension Session {
  /// Opens the files that the options select; `reports` is whether to report recoverable problems with them.
  package init(_ options: CommonOptions, reports: Bool) throws {
    try self.init(Home(folder: options.home, environment: Environment.variables()), reports: reports)
  }
}
