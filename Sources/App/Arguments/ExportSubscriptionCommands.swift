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
  func document(of state: State) -> SubscriptionDocument
  /// Why some are left out.
  var reasonLeftOut: String { get }
  /// Whether the document may contain secrets.
  var isPrivate: Bool { get }
}

extension SubscriptionExporting {
  var common: CommonOptions { options.common }
  var writtenFolder: String? { options.file.folder }

  func export(_ session: Session) throws -> String? {
    let document = document(of: try session.state)
    return try options.file.write({ (document.count, "subscription") }, isPrivate: isPrivate, session.home) {
      $0.write(document.bytes)
    }
  }

  func remark(_ session: Session) throws -> String? {
    let leftOut = document(of: try session.state).leftOut
    return leftOut > 0 ? "\(leftOut) left out: \(reasonLeftOut)" : nil
  }

  var reasonLeftOut: String {
    "this format cannot hold playlists, handles or feeds of other sites; use export opml"
  }
  var isPrivate: Bool { false }
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
    Exports channels, playlists, handles and feeds of other sites with their
    titles, grouped in folders by first tag; the category attribute holds all tags.
    newsboat -i adds the feeds to its own and keeps those it has. A feed whose
    address seems to contain a password or a token is left out without --private.
    """, examples: "subscriptions.opml", "all.opml && newsboat -i all.opml")
  @OptionGroup var options: SubscriptionExportOptions
  @Flag(name: .customLong("private"), help: "Also feeds whose address seems to contain a secret.")
  var isPrivate = false

  var reasonLeftOut: String { "feeds whose address is unknown or seems to contain a secret; see --private" }

  func document(of state: State) -> SubscriptionDocument { .opml(of: state, alsoPrivate: isPrivate) }
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

  func document(of state: State) -> SubscriptionDocument { .takeoutCSV(of: state) }
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

  func document(of state: State) -> SubscriptionDocument { .newPipe(of: state) }
}

/// `export freetube`: writes the subscriptions as FreeTube profiles.
struct ExportFreeTubeCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    export: "freetube", as: "FreeTube profiles", "Exports channels with their titles; each tag becomes a profile.",
    examples: "freetube.db")
  @OptionGroup var options: SubscriptionExportOptions

  func document(of state: State) -> SubscriptionDocument { .freeTube(of: state) }
}
