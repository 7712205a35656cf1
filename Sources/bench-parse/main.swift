// How long a feed takes to parse, all fields of it, with the files in memory and one thread:
//
//   bench-parse FOLDER PASSES        prints: µs a feed (median of the passes), feeds, entries
import Core
import FeedXML
import Glibc

/// The bytes of every `.xml` file of a folder.
func feeds(in folder: String) -> [[UInt8]] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var feeds: [[UInt8]] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if name.hasSuffix(".xml") { feeds.append(bytes(of: folder + "/" + name)) }
  }
  return feeds
}

/// The bytes of a file; none where it cannot be read.
func bytes(of path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
  return bytes
}

/// Ends the program with a message on standard error.
func stop(_ message: String, status: Int32) -> Never {
  _ = (message + "\n").withCString { write(2, $0, strlen($0)) }
  exit(status)
}

guard CommandLine.argc == 3, let passes = Int(CommandLine.arguments[2]), passes > 0 else {
  stop("usage: bench-parse FOLDER PASSES", status: 64)
}
let documents = feeds(in: CommandLine.arguments[1])
guard !documents.isEmpty else {
  stop("bench-parse: \(CommandLine.arguments[1]): no feeds", status: 66)
}

let clock = ContinuousClock()
var entries = 0
var took: [Double] = []
for _ in 0..<passes {
  entries = 0
  let pass = try clock.measure {
    for document in documents { entries += try Feed(xml: document).entries.count }
  }
  took.append(pass / .microseconds(1) / Double(documents.count))
}
let median = Double(Int(took.sorted()[passes / 2] * 100)) / 100
print("\(median) µs a feed, median of \(passes) passes over \(documents.count) feeds, \(entries) entries")
