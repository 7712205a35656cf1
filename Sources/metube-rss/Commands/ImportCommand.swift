import ArgumentParser
import Core
import FeedXML
import Import

/// `import`: takes over what a person follows elsewhere.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Take over subscriptions from a file of another program.",
    discussion: """
      Files are known by what is in them, whatever their name or language: Google
      Takeout's subscriptions.csv, OPML of any feed reader, a list of channels.
      Importing the same file twice changes nothing.

      Examples:
        metube-rss import subscriptions.csv
        metube-rss import --tag science feeds.opml
        metube-rss import --dry-run --verbose *.opml
        grep -v Shorts list.txt | metube-rss import -
      """)
  /// How the report is shown.
  enum ReportFormat: String, CaseIterable, ExpressibleByArgument { case text, json }

  @OptionGroup var common: CommonOptions
  @Option(
    name: .long, help: "A tag to put on what is imported; may be given several times.",
    transform: ArgumentShield.unguarded)
  var tag: [String] = []
  @Option(
    name: .long, help: ArgumentHelp("Count videos published before this as watched.", valueName: "date"),
    transform: ArgumentShield.unguarded)
  var seenBefore: String?
  @Flag(name: .long, help: "Say what would be done, and do nothing.")
  var dryRun = false
  @Flag(name: .long, help: "Name also the rows that are not YouTube.")
  var verbose = false
  @Option(name: .long, help: "How to show the report: text or json.")
  var format: ReportFormat = .text
  @Argument(help: ArgumentHelp("Files; - is standard input.", valueName: "file"), transform: ArgumentShield.unguarded)
  var files: [String]

  func run() throws {
    let session = try Session(common)
    let date = try seenBefore.map { try Moment($0, before: session.now, option: "--seen-before").time }
    var worst: ExitStatus?
    var reports: [ImportReport] = []
    for path in files {
      do {
        let report = try take(path, seenBefore: date, session)
        if !report.file.refused.isEmpty { worst = worst ?? .inPart }
        reports.append(report)
      } catch let failure as Failure {
        Messages.tell(failure.message)
        worst = failure.status == .disk ? .disk : worst == .disk ? .disk : .notUnderstood
        if failure.status == .disk { break }
      }
    }
    try show(reports, session)
    if let worst { throw worst }
  }

  /// Reads one file and follows what is in it.
  private func take(_ path: String, seenBefore: Timestamp?, _ session: Session) throws -> ImportReport {
    let file = try ImportCommand.read(path)
    var wanted = Subscribing(tags: tag, seenBefore: seenBefore)
    for row in file.subscriptions { wanted.add(.subscription(row.id, row.form), title: row.title, tags: row.tags) }
    for row in file.unresolved { wanted.add(.name(row.name), title: row.title, tags: row.tags) }
    let subscribing = wanted
    let bodies =
      dryRun
      ? subscribing.bodies(in: session.state) : try session.commit { subscribing.bodies(in: $0) }.map(\.body)
    return ImportReport(path: path, file: file, bodies: bodies)
  }

  private static func read(_ path: String) throws -> ImportedFile {
    let bytes = try File.read(path, limit: 1 << 31)
    do {
      return try bytes.withUnsafeBytes { raw in
        try ImportedFile.read(raw, limits: .standard) { try Outline.read(opml: $0) }
      }
    } catch let error as ImportError {
      throw Failure(.notUnderstood, "\(path): \(Words.importing(error))")
    } catch let damage as XMLDamage {
      throw Failure(.notUnderstood, "\(path): \(Words.xml(damage)); nothing was imported")
    }
  }

  private func show(_ reports: [ImportReport], _ session: Session) throws {
    for report in reports {
      for line in report.refusals { Messages.tell(line) }
      if verbose { for line in report.foreign { Messages.tell(line) } }
    }
    var output = Output()
    switch format {
    case .text: for report in reports { output.write(report.text(isDry: dryRun)) }
    case .json: for report in reports { output.write(report.json.object + [10]) }
    }
    if format == .text, !dryRun, reports.contains(where: { $0.new > 0 }) {
      output.write("metube-rss poll asks what they have\n")
    }
    try output.finish()
  }
}

/// What came of one imported file.
struct ImportReport {
  let path: String
  let file: ImportedFile
  /// The events that were appended, or would be.
  let bodies: [EventBody]

  /// Subscriptions that were not followed before.
  var new: Int {
    bodies.reduce(0) { if case .channelFollowed = $1 { $0 + 1 } else { $0 } }
  }
  /// Subscriptions that were.
  var already: Int { file.subscriptions.count - new }

  /// For a person: `subscriptions.csv: 5 read, 5 new, 0 already followed`, and what else there is.
  func text(isDry: Bool) -> String {
    var parts = ["\(file.read) read", "\(new) \(isDry ? "would be " : "")new", "\(already) already followed"]
    if file.duplicates > 0 { parts.append("\(file.duplicates) twice in the file") }
    if !file.unresolved.isEmpty { parts.append("\(file.unresolved.count) unresolved") }
    if !file.notYouTube.isEmpty { parts.append("\(file.notYouTube.count) not YouTube") }
    if !file.refused.isEmpty { parts.append("\(file.refused.count) refused") }
    return "\(path): \(parts.joined(separator: ", "))\n"
  }

  /// For a program.
  var json: JSONLine {
    var line = JSONLine()
    line.add("file", path)
    line.add("format", file.format.rawValue)
    line.add("read", file.read)
    line.add("new", new)
    line.add("alreadyFollowed", already)
    line.add("duplicates", file.duplicates)
    line.add("unresolved", file.unresolved.count)
    line.add("notYouTube", file.notYouTube.count)
    line.add("refused", refusals)
    return line
  }

  /// The rows that were refused: `FILE:LINE: reason`.
  var refusals: [String] { file.refused.map { "\(place($0.place)): \(Words.refusal($0.reason))" } }

  /// The rows that are not YouTube.
  var foreign: [String] { file.notYouTube.map { "\(place($0.place)): not YouTube: \(DisplayText($0.what).text)" } }

  private func place(_ place: RowPlace) -> String {
    place.entry.map { "\(path):\(DisplayText($0).text):\(place.line)" } ?? "\(path):\(place.line)"
  }
}
