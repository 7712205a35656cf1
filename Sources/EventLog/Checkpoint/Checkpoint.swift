import Core
import Glibc

/// The state as it was at some point of the logs, kept in the cache so that they need not be read from the beginning.
///
/// Disposable: it is looked at only where every log still begins with what it covers, and every part of it has a
/// checksum. Whatever is in doubt, the logs are read instead.
struct Checkpoint {
  let state: State
  /// The logs it covers, open where it ends, in the order of `LogRange.file`.
  let files: [LogFile]
  /// Events too far ahead of the clock to be part of the state.
  let ahead: [Deferred]
  /// The clock that has seen what is in the state.
  let clock: HybridClock
  /// Its bytes.
  let map: MappedFile
}

extension Checkpoint {
  /// The checkpoint in the folders as `device` may use it; nil where there is none to rely on.
  init?(in folders: Folders, device: DeviceID, now: UInt64) {
    guard let map = MappedFile(folders.checkpoint) else { return nil }
    let remake = Remake()
    let source = VideoSnapshot.Source(map.bytes, owner: map)
    guard let snapshot = VideoSnapshot(source, checksum: CRC32C.of, replacement: { remake.source() }),
      let (note, state) = snapshot.beginning(), let coverage = Coverage(lines: note, folder: folders.log)
    else { return nil }
    // With the clock set back, what others wrote and was folded may be too far ahead now.
    let clock = coverage.clock(of: device)
    guard clock.isWithinReach(of: now) else { return nil }
    do throws(LogError) {
      files = try Checkpoint.files(coverage, in: folders)
      ahead = try Checkpoint.ahead(coverage, in: files)
    } catch { return nil }  // The logs are read instead, and who reads them is told what fails.
    guard files.count == coverage.files.count, ahead.count == coverage.ahead.count else { return nil }
    self.state = state
    self.clock = clock
    self.map = map
    remake.files = zip(files, coverage.files).map { ($0.file, $1.end) }
    remake.ahead = Set(ahead.map(\.event.id))
    remake.path = folders.checkpoint
  }

  /// The files that still begin with what is covered.
  private static func files(_ coverage: Coverage, in folders: Folders) throws(LogError) -> [LogFile] {
    var files: [LogFile] = []
    for covered in coverage.files {
      let file = try File(folders.log + "/" + covered.name, .read)
      guard try covered.isIn(file) else { continue }
      files.append(try LogFile(file, index: UInt32(files.count), from: covered))
    }
    return files
  }

  /// Whether the logs, read from the beginning as far as it covers them, give its state.
  func isReplayOfLogs() throws(LogError) -> Bool {
    let covered = files.map { (file: $0.file, end: $0.end) }
    return try Checkpoint.replay(covered, without: Set(ahead.map(\.event.id))) == state
  }

  /// The fold of files up to a place in each, without some events.
  fileprivate static func replay(
    _ files: [(file: File, end: UInt64)], without ahead: Set<EventID>
  ) throws(LogError) -> State {
    var state = State()
    for (index, (file, end)) in files.enumerated() {
      var entries = LogLines(file, index: UInt32(index), from: 0, after: 0)
      while entries.end < end, let entry = try entries.next() {
        if case .event(let event)? = entry.line?.content, !ahead.contains(event.id) { state.apply(event) }
      }
    }
    return state
  }

  private static func ahead(_ coverage: Coverage, in files: [LogFile]) throws(LogError) -> [Deferred] {
    var events: [Deferred] = []
    for place in coverage.ahead where files.indices.contains(place.file) {
      let file = files[place.file]
      var entries = LogLines(file.file, index: file.index, from: place.offset, after: 0)
      guard case .event(let event)? = try entries.next()?.line?.content else { continue }
      events.append(Deferred(event: event, file: file.index, offset: place.offset))
    }
    return events
  }
}

extension Checkpoint {
  /// Writes a checkpoint, unless another program is at it. What fails leaves the one there was, of which a state may have
  /// its videos.
  static func write(
    _ state: State, _ coverage: Coverage, over map: MappedFile?, in folders: Folders
  ) throws(LogError) {
    try Directory.make(folders.cache)
    let file = try File(folders.checkpoint + ".new", .replace)
    // It may be another's that was renamed since it was opened, and is being read.
    guard try file.tryLock(), try FileStatus.of(file.path).map(FileIdentity.init) == FileIdentity(file.status()) else {
      return
    }
    try file.truncate(to: 0)
    var writer = SnapshotWriter(checksum: CRC32C.of) { bytes throws(LogError) in
      try file.write(bytes)
      // Else the whole of it would be in memory: 11 MB of 56 in a first poll of 5,000 channels.
      map?.forgetPages()
    }
    do throws(LogError) {
      // No sync: a page that does not reach the disk is found by its checksum.
      guard try writer.write(state, note: coverage.lines) else { return try Directory.remove(file.path) }
    } catch {
      try Directory.remove(file.path)
      throw error
    }
    guard Glibc.rename(file.path, folders.checkpoint) == 0 else {
      throw .failed(.rename, path: folders.checkpoint, errno: errno)
    }
  }
}

/// Makes a broken snapshot anew out of the logs, as far as it covered them.
private final class Remake {
  var files: [(file: File, end: UInt64)] = []
  var ahead: Set<EventID> = []
  var path = ""

  func source() -> VideoSnapshot.Source {
    unlink(path)
    var bytes: [UInt8] = []
    do throws(LogError) {
      let state = try Checkpoint.replay(files, without: ahead)
      var writer = SnapshotWriter(checksum: CRC32C.of) { (part: [UInt8]) throws(LogError) in bytes += part }
      guard try writer.write(state, note: []) else { throw .unreadable(path: path) }
    } catch {
      // The cache is broken, and then the log under it: there is nothing left to answer from.
      let words = "metube-rss: \(path): broken, and the log cannot be read: \(error)\n"
      _ = words.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      exit(74)
    }
    let kept = KeptBytes(bytes)
    return VideoSnapshot.Source(kept.bytes, owner: kept)
  }
}
