import Core
import EventLog
import Glibc
import Library
import ReadModel
import SlowFold
import TestSupport
import Testing

/// The time in the tests: 2025-10-25T11:41:15Z.
let now: UInt64 = 1_761_392_475_000

/// Opens a library as a device.
func library(_ folders: Folders, _ device: String = "k3v9x2ap", at time: UInt64 = now) throws -> FileLibrary {
  let id: DeviceID = try #require(DeviceID(device))
  return try FileLibrary(folders: folders, device: id, machine: nil) { time }
}

extension TemporaryFolder {
  /// The folders without a cache.
  var uncached: Folders { Folders(data: path, state: path + "/state", cache: "/proc/none") }

  /// What the logs of the folder amount to when they are read from the beginning.
  func fold(_ device: String = "k3v9x2ap", at time: UInt64 = now) throws -> SlowFold {
    var fold = SlowFold()
    let journal = try Journal(folders: uncached, device: DeviceID(device), machine: nil, coverage: nil, clock: { time })
    journal.receive = { event, _, _ in fold.apply(event) }
    try journal.refresh()
    return fold
  }

  /// Findings of reading the logs from the beginning.
  func findings(at time: UInt64 = now) throws -> [LogFinding] {
    let journal = try Journal(
      folders: uncached, device: DeviceID("k3v9x2ap"), machine: nil, coverage: nil, clock: { time })
    try journal.refresh()
    return journal.findings
  }

  /// The name of the read model's database; nil if there is none.
  var database: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 200) { bytes in
      guard let start = bytes.baseAddress else { return nil }
      let count = readlink(folders.cache + "/" + ReadModel.linkName, start, bytes.count)
      return count < 0 ? nil : String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// Brings the tables in the cache up to the end of the logs; what a library reads waits in memory until it matters.
  func fillCache(at time: UInt64 = now) throws {
    let library = try library(folders, at: time)
    _ = try library.model.videoCount()
    withExtendedLifetime(library) {}
  }

  /// Whether a library goes on from the tables in the cache.
  func isCacheUsed(at time: UInt64 = now) throws -> Bool {
    let before = database
    _ = try library(folders, at: time)
    return before != nil && database == before
  }
}

extension Library {
  /// A video as the tables have it. A model must not outlive its library.
  func video(_ id: VideoID) throws -> Video? { try model.video(id) }

  /// Whether the tables say what the slow fold says.
  func agrees(with fold: SlowFold) throws -> Bool {
    guard try model.state() == fold.state else { return false }
    for (id, video) in fold.videos where try model.video(id) != video { return false }
    return try model.videoCount() == fold.videos.values.count { $0.found != nil }
  }
}

/// Appends random events in the name of two devices.
func append(
  _ folder: TemporaryFolder, seed: UInt64, batches: Int = 6, pieces: [String] = Hostile.texts
) throws {
  var maker = EventMaker(seed: seed, pieces: pieces)
  for batch in 0..<batches {
    let bodies = maker.events(20).map(\.body)
    let device = batch % 3 == 2 ? "aaaaaaaa" : "k3v9x2ap"
    _ = try library(folder.folders, device, at: now + seed + UInt64(batch)).commit(action: nil, undoing: nil) { bodies }
  }
}

/// A folder with two logs and tables of both.
func cached(seed: UInt64) throws -> TemporaryFolder {
  let folder = TemporaryFolder()
  try append(folder, seed: seed)
  try folder.fillCache()
  return folder
}

/// A mark on a video.
func saved(_ bits: UInt64, _ isSaved: Bool = true) -> EventBody {
  .savedSet(SavedSet(video: VideoID(bits: bits), saved: isSaved))
}
