import ArgumentParser

/// Options common to all commands.
struct CommonOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Keep log, state, cache and settings in this folder (default: the XDG folders).", valueName: "dir"),
    completion: .directory, transform: DashIDArguments.unguarded)
  var home: String?
}

/// Pager options.
struct PagerOptions: ParsableArguments {
  @Flag(
    name: .long, inversion: .prefixedNo,
    help: "Page the output with METUBE_RSS_PAGER, PAGER or less (default: on a terminal).")
  var pager: Bool?
}

/// A command with long output, which goes through a pager on a terminal.
protocol PagedCommand: ParsableCommand {
  var common: CommonOptions { get }
  var paging: PagerOptions { get }
}

/// An output format.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, jsonl, json, csv, tsv, ids, urls
}

/// When to use colour.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}

/// Options of commands that print rows.
struct FormatOptions: ParsableArguments {
  @Option(name: .long, help: "Output format: table, jsonl, json, csv, tsv, ids or urls.")
  var format: OutputFormat = .table

  @Option(name: .long, help: "When to use colour and links in tables: auto, always or never.")
  var color: ColorChoice = .auto
}
