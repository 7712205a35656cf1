// Measures how long reading the log takes:
//
//   bench-log make FOLDER VIDEOS CHANNELS     writes an invented log below FOLDER
//   bench-log replay FOLDER TURNS             replays the log from its start
//   bench-log checkpoint FOLDER TURNS         replays the log from its start and writes the checkpoint
//   bench-log newest FOLDER TURNS             the newest 50 unwatched, from the checkpoint
//   bench-log channels FOLDER TURNS           the channels with their counts, which reads every video
//   bench-log titles FOLDER TURNS             the videos with a long title, which reads every title
//   bench-log mark FOLDER TURNS               marks one video: loads the checkpoint and appends an event
//   bench-log append FOLDER TURNS             only appends as many bytes to a file and syncs it
//
// Each prints wall and processor time per turn in ms (medians), the log's size in MB, and the result.
import Core
import EventLog
import Glibc

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

/// Opens the journal in these folders.
func journal(_ folders: Folders) throws -> Journal {
  try Journal(folders: folders, device: nil, clock: milliseconds)
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
  case "replay": return try journal(folders(path, cache: false)).state.videos.count
  case "checkpoint":
    unlink(path + "/cache/checkpoint")
    return try journal(folders(path, cache: true)).state.videos.count
  case "newest":
    return try journal(folders(path, cache: true)).state.select(query, at: now, .none).matching
  case "channels":
    let state = try journal(folders(path, cache: true)).state
    return ChannelRow.rows(in: state, memory: PollState(), at: now, isBlocked: nil).reduce(0) { $0 + $1.unwatched }
  case "titles":
    var count = 0
    try journal(folders(path, cache: true)).state.videos.forEach { if $0.title.utf8.count > 60 { count += 1 } }
    return count
  case "mark":
    let events = try journal(folders(path, cache: true)).commit(action: nil, undoing: nil) { state in
      var newest: [EventBody] = []
      state.videos.forEachNewestFirst(.open, among: nil) { video, _ in
        newest = [.statusSet(StatusSet(video: video.id, status: .watched))]
        return false
      }
      return newest
    }
    return events.count
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
