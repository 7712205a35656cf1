// Measures how long reading the log and its read model takes:
//
//   bench-log make FOLDER VIDEOS CHANNELS     writes an invented log below FOLDER
//   bench-log replay FOLDER TURNS             builds the read model in memory from the whole log
//   bench-log newest FOLDER TURNS             the newest 50 unwatched, from the read model's file
//   bench-log channels FOLDER TURNS           the channels with their counts
//   bench-log mark FOLDER TURNS               marks one video: opens the read model and appends an event
//   bench-log append FOLDER TURNS             only appends as many bytes to a file and syncs it
//   bench-log rows TABLE CHANNELS WEEKS USERS rows of an invented hub for PostgreSQL: log-lines, channels, videos,
//                                             words, subjects, follows, marks
//
// Each of the others prints wall and processor time per turn in ms (medians), the log's size in MB, and the result.
import Core
import EventLog
import Glibc
import Library
import ReadModel

/// Prints a message on standard error and exits.
func stop(_ message: String, status: Int32) -> Never {
  _ = (message + "\n").withCString { write(2, $0, strlen($0)) }
  exit(status)
}

/// The current time in milliseconds since 1970.
func milliseconds() -> UInt64 {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return UInt64(now.tv_sec) * 1000 + UInt64(now.tv_nsec) / 1_000_000
}

/// The folders below `path`; without a cache, nothing is stored between turns.
func folders(_ path: String, cache: Bool) -> Folders {
  Folders(data: path, state: path + "/state", cache: cache ? path + "/cache" : "/proc/none")
}

/// Opens the library in these folders.
func library(_ folders: Folders) throws -> FileLibrary {
  try FileLibrary(folders: folders, device: nil, clock: milliseconds)
}

/// Appends `count` bytes to a file and waits until they are on disk; returns the number written.
func append(_ count: Int, to path: String) throws -> Int {
  let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
  defer { close(descriptor) }
  let written = Array(repeating: UInt8(ascii: "a"), count: count).withUnsafeBytes { bytes in
    write(descriptor, bytes.baseAddress, bytes.count)
  }
  guard written == count, fdatasync(descriptor) == 0 else { stop("bench-log: \(path): cannot write", status: 74) }
  return written
}

/// Runs one turn of a measurement and returns its result.
func turn(_ name: String, _ path: String) throws -> Int? {
  let now = Timestamp(seconds: 1_800_000_000)
  let query = VideoQuery(
    statuses: [.new], shorts: .hide, upcoming: .hide, subscriptions: nil, tags: [], since: nil, until: nil,
    order: .published, oldestFirst: false, limit: 50)
  switch name {
  case "replay":
    let library = try library(folders(path, cache: false))
    defer { withExtendedLifetime(library) {} }
    return try library.model.videoCount()
  case "newest":
    let library = try library(folders(path, cache: true))
    defer { withExtendedLifetime(library) {} }
    return try library.model.select(query, at: now).matching
  case "channels":
    let library = try library(folders(path, cache: true))
    defer { withExtendedLifetime(library) {} }
    let rows = ChannelRow.rows(
      in: try library.model.state(), memory: PollState(), counts: try library.model.channelCounts(at: now))
    return rows.reduce(0) { $0 + $1.unwatched }
  case "mark":
    let library = try library(folders(path, cache: true))
    var newest = query
    newest.limit = 1
    return try library.commit(action: nil, undoing: nil) {
      try library.model.select(newest, at: now).ids.map { .statusSet(StatusSet(video: $0, status: .watched)) }
    }.count
  case "append": return try append(200, to: path + "/appended")
  default: return nil
  }
}

let arguments = CommandLine.arguments
guard arguments.count >= 4 else { stop("usage: bench-log COMMAND FOLDER …", status: 64) }
if arguments[1] == "make", arguments.count == 5, let videos = Int(arguments[3]), let channels = Int(arguments[4]) {
  var log = RandomLog(videos: videos, channels: channels)
  try log.write(to: folders(arguments[2], cache: false))
  exit(0)
}
if arguments[1] == "rows" {
  let numbers = arguments.dropFirst(3).compactMap { Int($0) }.filter { $0 > 0 }
  guard arguments.count == 6, numbers.count == 3, numbers[2] < 10_000_000 else {
    stop("usage: bench-log rows TABLE CHANNELS WEEKS USERS", status: 64)
  }
  var rows = HubRows(InventedHub(channels: numbers[0], weeks: numbers[1], users: numbers[2]))
  guard try rows.write(arguments[2]) else { stop("bench-log: unknown rows \(arguments[2])", status: 64) }
  exit(0)
}
/// The median, to two decimals.
func median(_ values: [Double]) -> Double { Double(Int(values.sorted()[values.count / 2] * 100)) / 100 }

/// Processor time used so far, in milliseconds; excludes other processes.
func processorTime() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
  return Double(now.tv_sec) * 1000 + Double(now.tv_nsec) / 1_000_000
}

var took: [Double] = []
var worked: [Double] = []
var result: Int?
for _ in 0..<max(1, Int(arguments[3]) ?? 1) {
  let before = processorTime()
  let time = try ContinuousClock().measure { result = try turn(arguments[1], arguments[2]) }
  took.append(time / .milliseconds(1))
  worked.append(processorTime() - before)
}
guard let result else { stop("bench-log: unknown command \(arguments[1])", status: 64) }
var status = stat()
stat(arguments[2] + "/log/bench000.jsonl", &status)
let (wall, work) = (median(took), median(worked))
print("\(arguments[1]): \(wall) ms, \(work) of processor time, \(status.st_size / 1_000_000) MB, \(result)")
