import Core
import EventLog
import Exporters
import Importers
import Library
import Messages
import Platform

/// Everything of a person in one file: the logs of all devices as they are, with events of every kind, and what they see
/// of a catalogue. `HomeArchive` has the form.
package struct ArchiveExport {
  /// What was written.
  package struct Summary: Equatable, Sendable {
    package var logs = 0
    package var events = 0
    /// Lines that were left out because they are damaged or of a later version.
    package var broken = 0
    /// Events that were left out because they are more than a day ahead of the clock: no home would accept them.
    package var ahead = 0
  }

  private let session: Session
  private var zip: ZipWriter
  private var summary = Summary()

  package init(_ session: Session) {
    self.session = session
    zip = ZipWriter(at: session.now)
  }

  /// Writes the archive, about a mebibyte at a time.
  package consuming func write(to output: inout Output) throws -> Summary {
    var archive = self
    try Session.reporting { try archive.writeAll(to: &output) }
    return archive.summary
  }

  private mutating func writeAll(to output: inout Output) throws {
    try session.workspace.copyCatalogue()
    let shared = try session.workspace.catalogueLogs()
    let own = session.workspace.deviceLogs
    let marks = try own.marks()
    var names = Set(marks.map(\.log))
    var bytes: [UInt8] = []
    zip.begin(HomeArchive.manifest, to: &bytes)
    zip.add(manifest + [10], to: &bytes)
    try ArchiveExport.refusingTooLarge { () throws(ZipWriter.TooLarge) in try zip.end(to: &bytes) }
    output.write(bytes)
    bytes.removeAll()
    for mark in marks { try add(mark, of: own, to: &output) }
    for mark in try shared?.marks() ?? [] where names.insert(mark.log).inserted {
      if let shared { try add(mark, of: shared, to: &output) }
    }
    try ArchiveExport.refusingTooLarge { () throws(ZipWriter.TooLarge) in try zip.finish(to: &bytes) }
    output.write(bytes)
  }

  private var manifest: [UInt8] {
    var line = JSONLine()
    line.add("archive", HomeArchive.kind)
    line.add("version", HomeArchive.version)
    line.add("made", session.now)
    line.add("program", Version.current)
    return line.object
  }

  private mutating func add(_ mark: LogMark, of logs: any ReadableLogs, to output: inout Output) throws {
    var bytes: [UInt8] = []
    var (offset, start, isBegun) = (UInt64(0), Start.awaited, false)
    summary.ahead += try logs.futureEvents(of: mark.log)
    while offset < mark.end.length, !output.isBroken,
      let lines = try logs.lines(of: mark.log, from: offset, maximum: ArchiveExport.part), !lines.isEmpty
    {
      offset += UInt64(lines.count)
      let good = try goodLines(of: lines, mark.device, &start)
      guard !good.isEmpty else { continue }
      if !isBegun { zip.begin(HomeArchive.entry(ofLog: ArchiveExport.name(of: mark)), to: &bytes) }
      isBegun = true
      zip.add(good, to: &bytes)
      output.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    guard isBegun else { return }
    try ArchiveExport.refusingTooLarge { () throws(ZipWriter.TooLarge) in try zip.end(to: &bytes) }
    output.write(bytes)
    summary.logs += 1
  }

  /// The name of the entry of a log; it differs from the file's name if the file was renamed.
  private static func name(of mark: LogMark) -> String {
    let isOwn = mark.log == "\(mark.device)" || mark.log.hasPrefix("\(mark.device).")
    return isOwn ? mark.log : "\(mark.device).fork-\(String(Fingerprint.of(mark.log), radix: 16))"
  }

  /// The first line of a log, which is not an event.
  private enum Start {
    case awaited
    /// Damage came before any whole line: the first event gets a new first line before it.
    case lost
    case written
  }

  /// The lines that are whole.
  private mutating func goodLines(of lines: [UInt8], _ device: DeviceID, _ start: inout Start) throws -> [UInt8] {
    let all = EventLines(of: lines)
    var (good, position) = ([UInt8](), 0)
    good.reserveCapacity(lines.count)
    for (id, length) in Swift.zip(all.ids, all.lengths) {
      defer { position += length }
      guard id != EventLines.noID else {
        summary.broken += 1
        if start == .awaited { start = .lost }
        continue
      }
      if start == .lost {
        var first = EventLines()
        try first.begin(with: EventID(reading: max(1, id.reading) - 1, device: device))
        good += first.bytes
      }
      if start != .awaited { summary.events += 1 }
      start = .written
      good += lines[position..<position + length]
    }
    return good
  }

  /// About how many bytes of a log are read at once.
  private static let part = 1 << 20

  static func refusingTooLarge(_ body: () throws(ZipWriter.TooLarge) -> Void) throws {
    do { try body() } catch { throw Failure(ArchiveError.tooLarge) }
  }
}
