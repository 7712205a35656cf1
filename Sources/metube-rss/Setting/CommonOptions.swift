import ArgumentParser

/// The options that every command takes.
struct CommonOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Keep everything in this folder: log, state, cache, settings (default: the XDG folders).", valueName: "dir"),
    transform: ArgumentShield.unguarded)
  var home: String?
}

/// Whether results go through a pager.
struct PagerOptions: ParsableArguments {
  @Flag(
    name: .long, inversion: .prefixedNo,
    help: "On a terminal, show it through METUBE_RSS_PAGER, PAGER or less; setting the first asks for it always.")
  var pager: Bool?
}

/// A command whose results may be long, and go through a pager where the person asked for one.
protocol PagedCommand: ParsableCommand {
  var common: CommonOptions { get }
  var paging: PagerOptions { get }
}

/// How results are shown.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, jsonl, json, csv, tsv, ids, urls
}

/// When colours are used.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}

/// The options of commands that show rows.
struct FormatOptions: ParsableArguments {
  @Option(name: .long, help: "How to show the rows: table, jsonl, json, csv, tsv, ids or urls.")
  var format: OutputFormat = .table

  @Option(name: .long, help: "When to use colour and links in tables: auto, always or never.")
  var color: ColorChoice = .auto
}
