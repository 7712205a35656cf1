import Core
import FeedParser
import Glibc
import WebFeed

/// Microseconds of a processor that this process has used (`clock_gettime(2)`), whatever else the machine does.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// Measures how fast feeds of the web become finished values.
enum WebFeedBench {
  /// Parses the documents `passes` times and prints the entries found, and MB/s of processor time of the median and the fastest pass.
  static func run(_ documents: [[UInt8]], passes: Int) {
    let size = Double(documents.reduce(0) { $0 + $1.count })
    var took: [Double] = []
    var (entries, rejected) = (0, 0)
    for _ in 0..<passes {
      (entries, rejected) = (0, 0)
      let begin = processorTime()
      for document in documents {
        if let feed = try? WebFeedParser.parse(document, contentType: nil, base: nil) {
          entries += feed.entries.count
        } else {
          rejected += 1
        }
      }
      took.append(processorTime() - begin)
    }
    took.sort()
    print(
      "\(entries) entries of \(documents.count) feeds, \(rejected) rejected; \(Int(size / took[passes / 2])) MB/s, "
        + "\(Int(size / took[0])) at best, \(passes) passes over \(Int(size)) bytes")
  }
}
