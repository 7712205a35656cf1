import App
import ArgumentParser
import Arguments
import Core
import Exporters
import Platform

/// `show`: everything known about a video.
struct ShowCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything known about a video, and its description.",
    discussion: """
      Examples:
        metube-rss show 3
        metube-rss show dQw4w9WgXcQ --format json
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @OptionGroup var formatting: FormatOptions
  @OptionGroup var argument: VideoArgument

  func run(in session: Session, to output: inout Output) throws {
    let video = try argument.resolve(in: session)
    if formatting.format == .table {
      let report = try VideoReport(video, in: session)
      let width = Terminal(formatting.color).width
      let lines = report.facts + report.decisions + report.history + report.ways
      output.write(report.heading(width: width) + report.text(lines, width: width))
      let description = try session.text(of: video.description)
      if !description.isEmpty { output.write("\n") }
      for line in description.split(separator: "\n", omittingEmptySubsequences: false) where !description.isEmpty {
        for part in DisplayText(String(line)).lines(within: width) { output.write(part + "\n") }
      }
    } else {
      guard let row = try session.withViews(session.rows([video.id], alsoUnseen: true)).first else { return }
      switch formatting.format {
      case .json: RowFormat.write([json(row, of: video)], to: &output)
      case .jsonl: output.write(json(row, of: video).object + [10])
      default: RowFormat.write([row], as: formatting.format, to: &output)
      }
    }
  }

  /// The members of a list row, plus the user's note, progress and collections.
  private func json(_ row: VideoRow, of video: Video) -> JSONLine {
    var line = row.json
    line.add("note", video.note.isEmpty ? nil : video.note)
    line.add("progressSeconds", video.progress)
    line.add("collections", video.collections)
    return line
  }
}

/// `why`: why a video is listed or hidden, with the evidence.
struct WhyCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "why", abstract: "Explain why a video is listed or hidden, with the evidence.",
    discussion: """
      Examples:
        metube-rss why dQw4w9WgXcQ
        metube-rss why https://www.youtube.com/shorts/dQw4w9WgXcQ
        metube-rss why dQw4w9WgXcQ --format json
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @Option(help: "Output format: text or json.") var format: ReportFormat = .text
  @OptionGroup var argument: VideoArgument

  func run(in session: Session, to output: inout Output) throws {
    let report = try VideoReport(try argument.resolve(in: session), in: session)
    if format == .json {
      output.write(report.json.object + [10])
      return
    }
    let lines = report.decisions + report.facts + report.history + report.ways
    let width = Terminal(.never).width
    output.write(report.heading(width: width) + report.text(lines, width: width))
  }
}

extension VideoReport {
  /// What can be done with a video that no feed has shown; empty for any other.
  fileprivate var ways: [Line] {
    guard video.found == nil else { return [] }
    let save = video.isSaved ? [] : ["metube-rss save \(video.id) keeps it"]
    let channel = isFollowed ? nil : video.knownChannel
    let follow = channel.map { ["metube-rss follow \(SubscriptionID.channel($0).url) follows its channel"] } ?? []
    return (["metube-rss play \(video.id) plays it"] + save + follow).map { ("try", $0) }
  }
}
