import Core
import SQLDrivers
import SlowFold

@testable import ReadModel

/// An event with the position of its line, as a reader of the logs gives it.
struct StoredEvent {
  var event: Event
  var file: Int
  var line: UInt64
}

extension StoredEvent {
  /// Events with positions of their own: one file for each device, lines of 100 bytes. Every other description is a
  /// range in the file, as in a log that was read.
  static func all(_ events: [Event]) -> [StoredEvent] {
    var files: [DeviceID: Int] = [:]
    var lines: [Int: UInt64] = [:]
    return events.map { event in
      let file = files[event.id.device] ?? files.count
      files[event.id.device] = file
      let line = lines[file, default: 0]
      lines[file] = line + 100
      let range = LogRange(file: UInt32(file), length: 20, offset: line + 70)
      return StoredEvent(event: event.withDescription(at: range), file: file, line: line)
    }
  }
}

extension Event {
  fileprivate func withDescription(at range: LogRange) -> Event {
    func stored(_ text: Description?) -> Description? {
      text.map { $0.fingerprint % 2 == 0 ? $0 : Description(fingerprint: $0.fingerprint, range: range) }
    }
    var event = self
    switch body {
    case .videoFound(var found):
      found.description = stored(found.description)
      event.body = .videoFound(found)
    case .videoChanged(var change):
      change.description = stored(change.description)
      event.body = .videoChanged(change)
    case .entryFound(var found):
      found.facts.description = stored(found.facts.description)
      event.body = .entryFound(found)
    case .entryChanged(var change):
      change.facts.description = stored(change.facts.description)
      event.body = .entryChanged(change)
    default: break
    }
    return event
  }
}

/// The descriptions of a log, by fingerprint: what a reader of the log finds at their positions.
final class DescriptionTexts {
  private var texts: [UInt64: [UInt8]] = [:]

  init(_ events: some Sequence<Event>) { add(events) }

  func add(_ events: some Sequence<Event>) {
    for event in events {
      let description: Description? =
        switch event.body {
        case .videoFound(let found): found.description
        case .videoChanged(let change): change.description
        case .entryFound(let found): found.facts.description
        case .entryChanged(let change): change.facts.description
        default: nil
        }
      guard let description, case .text(let text) = description.source else { continue }
      texts[description.fingerprint] = NormalizedText.bytes(of: text)
    }
  }

  /// The normalised text of a description, wherever it is; empty if no event had it.
  func folded(_ description: Description) -> [UInt8] {
    if case .text(let text) = description.source { return NormalizedText.bytes(of: text) }
    return texts[description.fingerprint] ?? []
  }
}

extension ReadModel {
  /// A model in memory, built at once.
  static func built(_ events: some Sequence<StoredEvent>, _ texts: DescriptionTexts? = nil) throws -> ReadModel {
    let model = try ReadModel.empty()
    if let texts { model.foldedText = texts.folded }
    try model.add(events)
    return model
  }

  /// Applies a batch as a reader of the logs does; the first one is the first build.
  func add(_ events: some Sequence<StoredEvent>) throws {
    let known = try coverage()
    let isApplied = try update(from: known) { (apply: (Event, Int, UInt64) throws(DatabaseError) -> Void) in
      for stored in events { try apply(stored.event, stored.file, stored.line) }
      return (known ?? []) + [1]
    }
    precondition(isApplied, "no other process writes")
  }

  /// Everything it knows, read back.
  func contents(of ids: some Sequence<VideoID>) throws -> DecidedState {
    var videos: [VideoID: Video] = [:]
    for id in ids { videos[id] = try video(id) }
    return DecidedState(state: try state(), videos: videos)
  }
}
