import ArgumentParser
import Core

/// Where an export of what is followed goes.
struct SubscriptionExportOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
    transform: ArgumentShield.unguarded)
  var output: String?
}

/// An export of what is followed, for a person who wants to have it elsewhere too, or to leave.
protocol SubscriptionExporting: FileWriting {
  var options: SubscriptionExportOptions { get }

  /// What is followed, in the format of this export.
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
      Messages.tell("\(document.leftOut) left out, for this format has no place for them: export opml has one")
    }
    if document.lost > 0 { Messages.tell("\(Words.count(document.lost, "tag")) left out that would be misread") }
  }
}
