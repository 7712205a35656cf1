// How long the log takes to read:
//
//   bench-log make FOLDER VIDEOS CHANNELS     writes a made-up log below FOLDER
//   bench-log replay FOLDER TURNS             prints: ms and MB/s of a replay (median of the turns), videos
import Core
import EventLog
import Glibc

/// Ends the program with a message on standard error.
func stop(_ message: String, status: Int32) -> Never {
  _ = (message + "\n").withCString { write(2, $0, strlen($0)) }
  exit(status)
}

/// The folders below a folder.
func folders(_ path: String) -> Folders { Folders(data: path, state: path + "/state", cache: path + "/cache") }

/// The milliseconds since 1970.
func milliseconds() -> UInt64 {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return UInt64(now.tv_sec) * 1000 + UInt64(now.tv_nsec) / 1_000_000
}

/// How many bytes the logs have.
func size(_ folders: Folders) -> Int {
  var status = stat()
  return stat(folders.log + "/bench000.jsonl", &status) == 0 ? Int(status.st_size) : 0
}

let arguments = CommandLine.arguments
switch (arguments.dropFirst().first, arguments.count) {
case ("make", 5):
  guard let videos = Int(arguments[3]), let channels = Int(arguments[4]) else { stop("no numbers", status: 64) }
  var log = MadeUpLog(videos: videos, channels: channels)
  try log.write(to: folders(arguments[2]))
case ("replay", 4):
  let folders = folders(arguments[2])
  var took: [Double] = []
  var count = 0
  for _ in 0..<(Int(arguments[3]) ?? 1) {
    let turn = try ContinuousClock().measure {
      count = try Journal(folders: folders, device: nil, clock: milliseconds).state.videos.count
    }
    took.append(turn / .milliseconds(1))
  }
  let median = took.sorted()[took.count / 2]
  print("\(Int(median)) ms, \(Int(Double(size(folders)) / median / 1000)) MB/s, \(count) videos")
default: stop("usage: bench-log make FOLDER VIDEOS CHANNELS | replay FOLDER TURNS", status: 64)
}
