import App
import ArgumentParser
import Core
import EventLog
import Exporters
import Messages
import Platform
import ReadModel

/// `export`: writes videos, subscriptions and decisions in formats of other programs.
package struct ExportCommand: ParsableCommand {

  package init() {}
  package static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write videos, subscriptions or all you have for other programs.",
    discussion: """
      Each poll refreshes the exports defined in settings, each under a name of your
      choice:
        METUBE_RSS_EXPORT_ALL=atom --output ~/feeds/youtube.atom
        METUBE_RSS_EXPORT_TAGS=atom --all-tags ~/feeds

      Examples:
        metube-rss export atom --output ~/feeds/youtube.atom
        metube-rss export csv --limit 0 > videos.csv
        metube-rss export opml --output subscriptions.opml
        metube-rss export archive --output everything.zip
      """,
    subcommands: [
      ExportAtomCommand.self, ExportJSONFeedCommand.self, ExportCSVCommand.self, ExportLinesCommand.self,
      ExportOPMLCommand.self, ExportTakeoutCSVCommand.self, ExportNewPipeCommand.self, ExportFreeTubeCommand.self,
      ExportFreeTubeHistoryCommand.self, ExportFreeTubePlaylistsCommand.self, ExportNewPipeBackupCommand.self,
      ExportTakeoutHistoryCommand.self, ExportTakeoutPlaylistsCommand.self, ExportInvidiousCommand.self,
      ExportArchiveCommand.self,
    ])

  /// The names of the formats.
  static var formats: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }
}

/// An export that the user runs as a command and that a poll refreshes at its end.
protocol ExportingCommand: ParsableCommand {
  var common: CommonOptions { get }
  /// The output folder; nil for standard output.
  var writtenFolder: String? { get }

  /// Writes the export; returns the message for the user, if any.
  func export(_ session: Session) throws -> String?
  /// What the user should know about an export besides, if anything.
  func remark(_ session: Session) throws -> String?
}

extension ExportingCommand {
  func run() throws {
    let session = try Session(common, reports: true)
    if let message = try export(session) { StandardError.report(message) }
    if let message = try remark(session) { StandardError.report(message) }
  }
}

/// The output file of an export.
struct OutputOption: ParsableArguments {
  @Option(
    name: .shortAndLong, text: "Write to this file instead of standard output, which is also -.", value: "file",
    completion: .file())
  var output: String?

  /// The path of the file; nil for standard output.
  private var path: String? { output == "-" ? nil : output }

  /// The folder of the file, which is replaced atomically; for a symbolic link, the target's folder. Nil for standard
  /// output.
  var folder: String? { path.map { File.folder(of: File.absolute($0)) } }

  /// Writes `count` of a noun to the file, or to standard output; returns the message for the user, if any.
  /// Writes an export that reports afterwards what was written. A new file that is private can be read by its owner
  /// alone.
  func write(
    _ written: () -> (count: Int, noun: String), isPrivate: Bool, _ home: Home, _ body: (inout Output) throws -> Void
  ) throws -> String? {
    guard let path else {
      var output = Output()
      try body(&output)
      try output.finish()
      return nil
    }
    try home.refuse(output: path)
    let isWritten = try File.replace(path, mode: isPrivate ? 0o600 : 0o644, body)
    let (count, noun) = written()
    return "\(path): \(isWritten ? UserMessages.count(count, noun) + " written" : "nothing changed")"
  }
}

extension Home {
  /// Throws with exit status 64 if a file to write is one of the program's own: the log, for example.
  func refuse(output path: String) throws {
    let file = File.absolute(path)
    let folder = File.absolute(File.folder(of: file)) + "/"
    let own = [folders.log, "\(data)/backups", state, cache].map(File.absolute)
    guard
      let refused = own.first(where: { folder.hasPrefix("\($0)/") })
        ?? (file == File.absolute(settings) ? settings : nil)
    else { return }
    throw Failure(.usage, "\(path): \(refused) belongs to metube-rss itself; write to another folder")
  }
}

/// Selects the videos of an export and its output file.
struct ExportOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions
  @OptionGroup var filter: FilterOptions
  @OptionGroup var statuses: StatusOptions
  @Flag(help: "Include videos of unfollowed channels and videos removed from YouTube.") var all = false
  @Flag(name: .customLong("private"), help: "Also links of feeds whose address seems to contain a secret.")
  var isPrivate = false
  @OptionGroup var file: OutputOption

  /// The request that the options describe.
  var request: ExportRequest { ExportRequest(filter: filter.filter, status: statuses.given, all: all) }

  /// The selected videos; see `ExportRequest.videos`.
  func videos(in session: Session, limit: Int, tags: [String]?) throws -> ExportedVideos {
    var videos = try request.videos(in: session, limit: limit, tags: tags)
    videos.alsoPrivate = isPrivate
    return videos
  }
}

/// An export of videos.
protocol VideoExporting: ExportingCommand {
  var options: ExportOptions { get }
  var limit: Limit { get }
  /// Writes the videos in the format of this export.
  func write(_ videos: ExportedVideos, to output: inout Output) throws
}

extension VideoExporting {
  var common: CommonOptions { options.common }
  var writtenFolder: String? { options.file.folder }

  func export(_ session: Session) throws -> String? { try exportFile(session) }

  /// Writes the videos to the file of the options; returns the message for the user, if any.
  func exportFile(_ session: Session) throws -> String? {
    let videos = try options.videos(in: session, limit: limit.count, tags: nil)
    return try options.file.write({ (videos.videos.count, "video") }, isPrivate: options.isPrivate, session.home) {
      try write(videos, to: &$0)
    }
  }

  func remark(_ session: Session) throws -> String? {
    let known = try TagNames(session.state)
    let unknown = options.filter.tag.filter { known.spelt($0).isEmpty }
    return unknown.isEmpty ? nil : "--tag: no channel has the tag “\(unknown.joined(separator: "”, “"))”"
  }
}
