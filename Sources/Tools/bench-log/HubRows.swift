import Core
import EventLog

/// Rows of an invented hub's tables, for `COPY … FROM … (FORMAT binary)`: the lines of logs, byte for byte as the hub
/// writes them, and what SQL cannot compute from these. Benchmarks/postgres/feeds/ makes all other rows.
struct HubRows {
  private let hub: InventedHub
  private var copy = CopyWriter()

  init(_ hub: InventedHub) { self.hub = hub }

  /// The number of the catalogue's log; a user's is one more than the user's own.
  private static let catalogueLog = 1

  /// Writes the rows of one table, named as in `bench-log`'s usage; returns false if it has no such rows.
  mutating func write(_ name: String) throws -> Bool {
    switch name {
    case "log-lines": try writeLines()
    case "channels": try writeChannels()
    case "videos": try writeVideos()
    case "words": writeWords()
    case "subjects": writeSubjects()
    case "follows": try writeFollows()
    case "marks": try writeMarks()
    default: return false
    }
    copy.finish()
    return true
  }

  // MARK: Logs

  /// `log_line` of the catalogue and of the users.
  private mutating func writeLines() throws {
    try writeCatalogue()
    for user in 1...hub.users {
      var position = LinePosition()
      let log = HubRows.catalogueLog + user
      try write(start: EventID(reading: hub.beginning << 16, device: hub.device(ofUser: user)), user, log, &position)
      for event in hub.events(ofUser: user) { try write(event, user, log, &position) }
    }
  }

  private mutating func writeCatalogue() throws {
    let log = HubRows.catalogueLog
    var position = LinePosition()
    try write(start: EventID(reading: hub.beginning << 16, device: InventedHub.catalogue), 0, log, &position)
    for channel in 0..<hub.channels { try write(hub.named(channel), 0, log, &position) }
    for week in 0..<hub.weeks {
      for number in 0..<hub.channels { try write(hub.found(week: week, index: number).event, 0, log, &position) }
    }
  }

  // MARK: The catalogue

  /// `bench_channel`: number, ID, name, the event that names it, where its line begins, and the subject under which events
  /// about it are looked up.
  private mutating func writeChannels() throws {
    var start = try startLength(InventedHub.catalogue)
    for channel in 0..<hub.channels {
      let event = hub.named(channel)
      let id = hub.channel(channel)
      copy.row(fields: 6)
      copy.bigint(Int64(channel + 1))
      copy.field("\(id)".utf8)
      copy.field(hub.name(ofChannel: channel).utf8)
      copy.field(event.id)
      copy.bigint(Int64(start))
      copy.bigint(Int64(bitPattern: Fingerprint.of("channel \(id)")))
      start += try line(event).bytes.count
    }
  }

  /// `all_video` of the catalogue: n, id, found, channel, published, title, link, text, text_file, text_offset,
  /// text_length, feeds, file, line, owner.
  private mutating func writeVideos() throws {
    var start = try startLength(InventedHub.catalogue)
    for channel in 0..<hub.channels { start += try line(hub.named(channel)).bytes.count }
    for week in 0..<hub.weeks {
      for index in 0..<hub.channels {
        let (event, words) = hub.found(week: week, index: index)
        guard case .videoFound(let found) = event.body else { continue }
        let length = try line(event).bytes.count
        let text = words.joined(separator: " ")
        copy.row(fields: 15)
        copy.bigint(Int64(week * hub.channels + index + 1))
        copy.bigint(Int64(bitPattern: found.video.high ^ 1 << 63))
        copy.field(event.id)
        copy.bigint(Int64(hub.channel(at: index) + 1))
        copy.bigint(found.published.seconds)
        copy.field(found.title.utf8)
        copy.bigint(Int64(Link(found.link).rawValue))
        copy.bigint(Int64(bitPattern: Fingerprint.of(text)))
        copy.bigint(Int64(HubRows.catalogueLog))
        // Behind the description stand its quotation mark and `,"c":"cdf0cc3c"}` with a newline.
        copy.bigint(Int64(start + length - 18 - text.utf8.count))
        copy.bigint(Int64(text.utf8.count))
        copy.bigint(Int64(FeedForms(.channel).rawValue))
        copy.bigint(Int64(HubRows.catalogueLog))
        copy.bigint(Int64(start))
        copy.bigint(0)
        start += length
      }
    }
  }

  /// `all_words` of the catalogue: fingerprint, words, owner.
  private mutating func writeWords() {
    for week in 0..<hub.weeks {
      for index in 0..<hub.channels {
        let words = hub.found(week: week, index: index).words
        copy.row(fields: 3)
        copy.bigint(Int64(bitPattern: Fingerprint.of(words.joined(separator: " "))))
        copy.field(words: Set(words))
        copy.bigint(0)
      }
    }
  }

  /// `catalogue_subject`: of each line about a channel, and two of each line about a video.
  private mutating func writeSubjects() {
    func add(_ subject: String, _ number: Int, _ copy: inout CopyWriter) {
      copy.row(fields: 2)
      copy.field(subject.utf8)
      copy.bigint(Int64(number))
    }
    // The first line names the log.
    for channel in 0..<hub.channels { add("\(hub.channel(channel))", channel + 2, &copy) }
    for week in 0..<hub.weeks {
      for index in 0..<hub.channels {
        let (channel, number) = (hub.channel(at: index), hub.channels * (week + 1) + index + 2)
        add("v:\(hub.video(ofChannel: channel, week: week))", number, &copy)
        add("\(hub.channel(channel))", number, &copy)
      }
    }
  }

  // MARK: Users

  /// `bench_follow`: owner, index among the owner's, number of the channel, event, where its line begins.
  private mutating func writeFollows() throws {
    for user in 1...hub.users {
      let channels = hub.channels(ofUser: user)
      var start = try startLength(hub.device(ofUser: user))
      for (index, event) in hub.events(ofUser: user).prefix(channels.count).enumerated() {
        copy.row(fields: 5)
        copy.integer(user)
        copy.integer(index + 1)
        copy.bigint(Int64(channels[index] + 1))
        copy.field(event.id)
        copy.bigint(Int64(start))
        start += try line(event).bytes.count
      }
    }
  }

  /// `bench_mark`: owner, video, event, where its line begins.
  private mutating func writeMarks() throws {
    for user in 1...hub.users {
      var start = try startLength(hub.device(ofUser: user))
      for event in hub.events(ofUser: user) {
        if case .statusSet(let set) = event.body {
          copy.row(fields: 4)
          copy.integer(user)
          copy.bigint(Int64(bitPattern: set.video.high ^ 1 << 63))
          copy.field(event.id)
          copy.bigint(Int64(start))
        }
        start += try line(event).bytes.count
      }
    }
  }

  // MARK: Lines

  /// Where the next line of a log stands.
  private struct LinePosition {
    var start = 0
    var number = 1
  }

  private func line(_ event: Event) throws -> EventLines {
    var lines = EventLines()
    try lines.add(event)
    return lines
  }

  private func start(_ id: EventID) throws -> EventLines {
    var lines = EventLines()
    try lines.begin(with: id)
    return lines
  }

  private func startLength(_ device: DeviceID) throws -> Int {
    try start(EventID(reading: hub.beginning << 16, device: device)).bytes.count
  }

  private mutating func write(_ event: Event, _ owner: Int, _ log: Int, _ position: inout LinePosition) throws {
    write(try line(event).bytes, event.id, owner, log, &position)
  }

  private mutating func write(start id: EventID, _ owner: Int, _ log: Int, _ position: inout LinePosition) throws {
    write(try start(id).bytes, id, owner, log, &position)
  }

  private mutating func write(
    _ line: [UInt8], _ id: EventID, _ owner: Int, _ log: Int, _ position: inout LinePosition
  ) {
    copy.row(fields: 6)
    copy.integer(log)
    copy.bigint(Int64(position.start))
    copy.integer(owner)
    copy.bigint(Int64(position.number))
    copy.field(id)
    copy.field(line)
    position.start += line.count
    position.number += 1
  }
}
