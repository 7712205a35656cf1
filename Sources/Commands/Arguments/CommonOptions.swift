import ArgumentParser

/// Options common to all commands.
struct CommonOptions: ParsableArguments {
  @Option(
    text: "Keep log, state, cache and settings in this folder (default: the XDG folders).", value: "dir",
    completion: .directory)
  var home: String?
}

/// Pager options.
struct PagerOptions: ParsableArguments {
  @Flag(inversion: .prefixedNo, help: "Page the output with METUBE_RSS_PAGER, PAGER or less (default: on a terminal).")
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
  @Option(help: "Output format: table, jsonl, json, csv, tsv, ids or urls.") var format: OutputFormat = .table

  @Option(help: "When to use colour and links in tables: auto, always or never.") var color: ColorChoice = .auto
}
