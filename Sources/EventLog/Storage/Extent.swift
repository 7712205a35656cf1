import Core

/// What this device knows of the logs since its last append, so that it notices if they went back or are gone.
///
/// One line in the state folder, overwritten without a sync: a power cut may leave an older one or none. Since the log
/// itself is synced before, it is never ahead of the log.
struct Extent: Equatable {
  /// The last event of our own log.
  var last: EventID
  /// The names of the logs of all devices.
  var logs: [String]

  init(last: EventID, logs: [String]) {
    (self.last, self.logs) = (last, logs)
  }

  /// The extent stored in a file; nil if the file is missing or broken.
  init?(at path: String) {
    guard let file = try? File(path, .read), let bytes = try? file.bytes(at: 0, count: Extent.limit),
      let record = StateRecord.records(in: Array(bytes.prefix { $0 != UInt8(ascii: "\n") })).first,
      case .text(let text) = record["last"], let last = EventID(text), case .texts(let logs) = record["logs"]
    else { return nil }
    self.init(last: last, logs: logs)
  }

  /// Keeps it in a file; `synced` if it may say less than before.
  func write(_ path: String, synced: Bool) throws(LogError) {
    var lines = LineWriter()
    lines.write(StateRecord([("last", .text("\(last)")), ("logs", .texts(logs))]))
    // What an earlier, longer one leaves after the newline is not read.
    guard lines.bytes.count <= Extent.limit else { return }
    let file = try File(path, .replace)
    try file.write(lines.bytes)
    if synced { try file.synchronize() }
  }

  /// Maximum size in bytes: thousands of devices.
  private static let limit = 64 << 10
}
