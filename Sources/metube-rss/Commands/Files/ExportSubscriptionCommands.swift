import ArgumentParser
import Core
import Exporters

/// The output file of a subscription export.
struct SubscriptionExportOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
    transform: ArgumentShield.unguarded)
  var output: String?
}

/// An export of the subscriptions, for use in another program or to migrate to it.
protocol SubscriptionExporting: FileWriting {
  var options: SubscriptionExportOptions { get }

  /// The subscriptions in the format of this export.
  static func document(of state: State) -> SubscriptionDocument
}

extension SubscriptionExporting {
  var writtenFolder: String? { Self.folder(ofFile: options.output) }

  func run() throws {
    let document = Self.document(of: try Session(options.common).state)
    if let path = options.output {
      let isWritten = try File.replace(path, with: document.bytes)
      let count = "\(Words.count(document.count, "subscription")) written"
      Messages.tell("\(path): \(isWritten ? count : "nothing changed")")
    } else {
      var output = Output()
      output.write(document.bytes)
      try output.finish()
    }
    if document.leftOut > 0 {
      Messages.tell("\(document.leftOut) left out: this format cannot hold playlists or handles; use export opml")
    }
    if document.lost > 0 { Messages.tell("\(Words.count(document.lost, "tag")) left out: not valid in this format") }
  }
}
