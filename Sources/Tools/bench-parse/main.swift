// Measures how long parsing all fields of a feed takes, with the files in memory and one thread:
//
//   bench-parse FOLDER PASSES        prints µs per feed: the median of the passes, and the mean of each feed's fastest
//                                    pass, which a busy machine hardly affects; feeds, entries
//   bench-parse web FOLDER PASSES    MB of feeds of any kind in a second of processor time, all files in the folder
//   bench-parse json <LIST           prints the feeds in the listed files as JSON, see WebFeedJSON
import Core
import FeedParser
import Glibc

/// The contents of the files in a folder whose names end with `suffix`.
func feeds(in folder: String, suffix: String) -> [[UInt8]] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var feeds: [[UInt8]] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if !name.hasPrefix("."), name.hasSuffix(suffix) { feeds.append(bytes(of: folder + "/" + name)) }
  }
  return feeds
}

/// The contents of a file; empty if it cannot be read.
func bytes(of path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
  return bytes
}

/// Prints a message on standard error and exits.
func stop(_ message: String, status: Int32) -> Never {
  _ = (message + "\n").withCString { write(2, $0, strlen($0)) }
  exit(status)
}

if CommandLine.arguments.dropFirst() == ["json"] {
  WebFeedJSON.run()
  exit(0)
}
if CommandLine.argc == 4, CommandLine.arguments[1] == "web", let passes = Int(CommandLine.arguments[3]), passes > 0 {
  let documents = feeds(in: CommandLine.arguments[2], suffix: "")
  guard !documents.isEmpty else { stop("bench-parse: \(CommandLine.arguments[2]): no feeds", status: 66) }
  WebFeedBench.run(documents, passes: passes)
  exit(0)
}
guard CommandLine.argc == 3, let passes = Int(CommandLine.arguments[2]), passes > 0 else {
  stop("usage: bench-parse FOLDER PASSES | bench-parse web FOLDER PASSES | bench-parse json <LIST", status: 64)
}
let documents = feeds(in: CommandLine.arguments[1], suffix: ".xml")
guard !documents.isEmpty else {
  stop("bench-parse: \(CommandLine.arguments[1]): no feeds", status: 66)
}

let clock = ContinuousClock()
var entries = 0
var took: [Double] = []
var quickest = [Double](repeating: .infinity, count: documents.count)
for _ in 0..<passes {
  entries = 0
  var pass = 0.0
  for (index, document) in documents.enumerated() {
    let feed = try clock.measure { entries += try Feed(xml: document).entries.count } / .microseconds(1)
    pass += feed
    quickest[index] = min(quickest[index], feed)
  }
  took.append(pass / Double(documents.count))
}

/// A time rounded down to two decimals.
func short(_ time: Double) -> Double { Double(Int(time * 100)) / 100 }

let median = short(took.sorted()[passes / 2])
let mean = short(quickest.reduce(0, +) / Double(documents.count))
print(
  "\(median) µs per feed, \(mean) at best, \(passes) passes over \(documents.count) feeds, \(entries) entries")
