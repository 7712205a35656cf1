import Core
import FeedParser
import WebFeed

/// Measures how fast feeds of the web become finished values.
enum WebFeedBench {
  /// Parses the documents `passes` times and prints the entries found, and MB/s of the median and the fastest pass.
  static func run(_ documents: [[UInt8]], passes: Int) {
    let clock = ContinuousClock()
    let size = Double(documents.reduce(0) { $0 + $1.count })
    var took: [Double] = []
    var (entries, rejected) = (0, 0)
    for _ in 0..<passes {
      (entries, rejected) = (0, 0)
      let time = clock.measure {
        for document in documents {
          if let feed = try? WebFeedParser.parse(document, contentType: nil, base: nil) {
            entries += feed.entries.count
          } else {
            rejected += 1
          }
        }
      }
      took.append(time / .microseconds(1))
    }
    took.sort()
    print(
      "\(entries) entries of \(documents.count) feeds, \(rejected) rejected; \(Int(size / took[passes / 2])) MB/s, "
        + "\(Int(size / took[0])) at best, \(passes) passes over \(Int(size)) bytes")
  }
}
