import App
import ArgumentParser
import Core
import Exporters
import Platform

/// The options of a subscription export.
struct SubscriptionExportOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions
  @OptionGroup var file: OutputOption
}

/// An export of the subscriptions, for use in another program or to migrate to it.
protocol SubscriptionExporting: ExportingCommand {
  var options: SubscriptionExportOptions { get }

  /// The subscriptions in the format of this export.
  static func document(of state: State) -> SubscriptionDocument
}

extension SubscriptionExporting {
  var common: CommonOptions { options.common }
  var writtenFolder: String? { options.file.folder }

  func export(_ session: Session) throws -> String? {
    let document = Self.document(of: try session.state)
    return try options.file.write(document.count, "subscription", session.home) { $0.write(document.bytes) }
  }

  func remark(_ session: Session) throws -> String? {
    let leftOut = Self.document(of: try session.state).leftOut
    return leftOut > 0 ? "\(leftOut) left out: this format cannot hold playlists or handles; use export opml" : nil
  }
}

// MARK: The formats

extension CommandConfiguration {
  /// The configuration of `export NAME`; the last part of the help shows how to write `file`.
  fileprivate init(export name: String, as format: String, _ discussion: String, examples: String...) {
    let lines = examples.map { "\n  metube-rss export \(name) --output \($0)" }.joined()
    self.init(
      commandName: name, abstract: "Write your subscriptions as \(format).",
      discussion: "\(discussion)\n\nExamples:\(lines)")
  }
}

/// `export opml`: writes the subscriptions as OPML, for any feed reader.
struct ExportOPMLCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    export: "opml", as: "OPML, for any feed reader",
    """
    Exports channels, playlists and handles with their titles, grouped in folders
    by first tag; the category attribute holds all tags. newsboat -i adds the feeds
    to its own and keeps those it has.
    """, examples: "subscriptions.opml", "all.opml && newsboat -i all.opml")
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .opml(of: state) }
}

/// `export takeout-csv`: writes the subscriptions as Google Takeout CSV.
struct ExportTakeoutCSVCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    export: "takeout-csv", as: "Google Takeout CSV",
    """
    Exports channels with their titles; the format supports neither tags nor
    playlists.
    """, examples: "subscriptions.csv")
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .takeoutCSV(of: state) }
}

/// `export newpipe`: writes the subscriptions as JSON for NewPipe and its forks.
struct ExportNewPipeCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    export: "newpipe", as: "JSON for NewPipe and its forks",
    """
    Exports channels and handles with their titles; the format supports neither
    tags nor playlists. PipePipe, Tubular, LibreTube and Piped read it too.
    """, examples: "newpipe.json")
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .newPipe(of: state) }
}

/// `export freetube`: writes the subscriptions as FreeTube profiles.
struct ExportFreeTubeCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    export: "freetube", as: "FreeTube profiles", "Exports channels with their titles; each tag becomes a profile.",
    examples: "freetube.db")
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .freeTube(of: state) }
}
