import Core
import EventLog
import Exporters
import Glibc
import Platform
import ReadModel
import SQLDrivers

/// A backup as NewPipe writes it: a zip file with its database, which is made in a temporary folder.
struct NewPipeBackup {
  private let export: PersonalExport
  /// The numbers of the videos in the database.
  private var streams: [VideoID: Int64] = [:]
  private var nearEnd = 0
  private var watched = 0

  init(_ export: PersonalExport) { self.export = export }

  /// Writes the backup; returns how many watched videos it has.
  consuming func write(to output: inout Output) throws -> (count: Int, leftOut: [String]) {
    var backup = self
    var template = Array("\(ScratchFile.folder)/metube-rss-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw File.failure(ScratchFile.folder, "cannot create a folder there") }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { Directory.removeAll(folder) }
    let path = "\(folder)/\(NewPipeTables.entry)"
    do {
      let database = try ForeignDatabaseWriter(path, NewPipeTables.schema)
      try backup.fill(database)
      try database.finish()
    } catch let error as DatabaseError {
      throw Failure(ArchiveError.unwritable(folder: ScratchFile.folder, isFull: error.isFull))
    }
    var (zip, bytes) = (ZipWriter(at: backup.export.session.now), [UInt8]())
    zip.begin(NewPipeTables.entry, to: &bytes)
    let descriptor = try File.open(path)
    defer { close(descriptor) }
    try File.forEachChunk(of: descriptor, path, limit: .max) { chunk in
      zip.add(chunk, to: &bytes)
      output.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    try ArchiveExport.refusingTooLarge { () throws(ZipWriter.TooLarge) in try zip.end(to: &bytes) }
    try ArchiveExport.refusingTooLarge { () throws(ZipWriter.TooLarge) in try zip.finish(to: &bytes) }
    output.write(bytes)
    return (backup.watched, PersonalExport.nearEnd(backup.nearEnd))
  }

  private mutating func fill(_ database: ForeignDatabaseWriter) throws {
    try addSubscriptions(to: database)
    try export.forEachWatched { watch in
      let number = try stream(watch.row, in: database)
      watched += 1
      try database.run(NewPipeTables.watch, [.integer(number), .integer(milliseconds(watch.watched))])
      try addPosition(of: watch.row, number, to: database)
    }
    let begun = try export.session.query { try $0.videosBegun() }.filter { !$0.isEntry }
    try export.forEachPart(of: begun) { ids in
      for row in try export.session.rows(ids, alsoUnseen: true) {
        try addPosition(of: row, try stream(row, in: database), to: database)
      }
    }
    try addPlaylists(to: database)
  }

  private func addSubscriptions(to database: ForeignDatabaseWriter) throws {
    let state = try export.session.state
    var groups: [String: Int64] = [:]
    var number: Int64 = 0
    for channel in state.followed where channel.id.channel != nil {
      number += 1
      try database.run(
        NewPipeTables.subscription,
        [.integer(number), .text(channel.id.url), .text(channel.hasTitle ? channel.title : "")])
      for tag in channel.tags {
        let group = groups[tag] ?? Int64(groups.count + 1)
        if groups.updateValue(group, forKey: tag) == nil {
          try database.run(NewPipeTables.group, [.integer(group), .text(tag), .integer(group - 1)])
        }
        try database.run(NewPipeTables.member, [.integer(group), .integer(number)])
      }
    }
    for handle in state.unresolved {
      number += 1
      try database.run(
        NewPipeTables.subscription, [.integer(number), .text(handle.page), .text(handle.title ?? handle.handle)])
    }
  }

  /// The number of a video in the database, which it is added to if it is not there yet.
  private mutating func stream(_ row: VideoRow, in database: ForeignDatabaseWriter) throws -> Int64 {
    if let number = streams[row.video] { return number }
    let number = Int64(streams.count + 1)
    streams[row.video] = number
    try database.run(
      NewPipeTables.stream,
      [
        .integer(number), .text("https://www.youtube.com/watch?v=\(row.video)"), .text(row.shownTitle),
        // The program's own sign of an unknown length.
        .integer(Int64(row.durationSeconds ?? -1)), .text(row.channelTitle),
        row.knownChannel?.channel.map { .text("https://www.youtube.com/channel/\($0)") } ?? .null,
        .text("https://i.ytimg.com/vi/\(row.video)/hqdefault.jpg"),
        row.knownPublished.map { .integer(milliseconds($0)) } ?? .null,
      ])
    return number
  }

  private mutating func addPosition(of row: VideoRow, _ number: Int64, to database: ForeignDatabaseWriter) throws {
    guard row.progress > 0 else { return }
    if row.isNearEnd { nearEnd += 1 }
    // A log of another program may say any number.
    let seconds = Int64(min(row.progress, 31 * 86_400))
    try database.run(NewPipeTables.position, [.integer(number), .integer(seconds * 1000)])
  }

  private mutating func addPlaylists(to database: ForeignDatabaseWriter) throws {
    var number: Int64 = 0
    try export.forEachList { list in
      number += 1
      var (index, first) = (Int64(0), Int64(-1))
      try export.forEachMember(of: list) { row, _ in
        let stream = try stream(row, in: database)
        if index == 0 { first = stream }
        try database.run(NewPipeTables.item, [.integer(number), .integer(stream), .integer(index)])
        index += 1
      }
      try database.run(
        NewPipeTables.playlist, [.integer(number), .text(list.name), .integer(first), .integer(number - 1)])
    }
  }

  private func milliseconds(_ time: Timestamp) -> Int64 { time.seconds * 1000 }
}
