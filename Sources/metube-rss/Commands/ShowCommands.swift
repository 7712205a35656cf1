import ArgumentParser
import Core

/// `show`: everything known of a video.
struct ShowCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything known of a video, and its description.",
    discussion: """
      Examples:
        metube-rss show 3
        metube-rss show dQw4w9WgXcQ --format json
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @OptionGroup var formatting: FormatOptions
  @OptionGroup var argument: VideoArgument

  func run() throws {
    let session = try Session(common)
    let video = try argument.resolve(in: session)
    var output = Output()
    if formatting.format == .table {
      let report = try VideoReport(video, in: session)
      let width = Terminal(formatting.color).width
      let lines = report.facts + report.decisions + report.history
      output.write(report.heading(width: width) + report.text(lines, width: width))
      let description = try session.text(of: video.description)
      if !description.isEmpty { output.write("\n") }
      for line in description.split(separator: "\n", omittingEmptySubsequences: false) where !description.isEmpty {
        for part in DisplayText(String(line)).lines(within: width) { output.write(part + "\n") }
      }
    } else {
      let rows = [VideoRow(video, in: session.state, at: session.now)].compactMap(\.self)
      RowFormat.write(rows, as: formatting.format, to: &output)
    }
    try output.finish()
  }
}

/// `why`: the decisions about a video, with their evidence.
struct WhyCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "why", abstract: "Say why a video is in the list or is not, with the evidence.",
    discussion: """
      Examples:
        metube-rss why dQw4w9WgXcQ
        metube-rss why https://www.youtube.com/shorts/dQw4w9WgXcQ
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @OptionGroup var argument: VideoArgument

  func run() throws {
    let session = try Session(common)
    let report = try VideoReport(try argument.resolve(in: session), in: session)
    var output = Output()
    let lines = report.decisions + report.facts + report.history
    let width = Terminal(.never).width
    output.write(report.heading(width: width) + report.text(lines, width: width))
    try output.finish()
  }
}
