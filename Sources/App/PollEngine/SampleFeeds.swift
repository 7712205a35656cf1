import Core
import FeedParser
import Glibc
import HTTPClient
import Messages
import Platform

/// What sends a poll's requests: libcurl, or files instead of a server.
package protocol FeedTransport {
  /// As `HTTPSession.run`.
  func run(
    wakeDescriptor: Int32?, isAborted: () -> Bool, next: () -> HTTPStep, finished: (HTTPOutcome) -> Void
  ) throws(HTTPFailure)
}

extension HTTPSession: FeedTransport {}

/// Feeds in a folder, `UC….xml`, instead of YouTube: no request leaves the machine. All times are moved by the same days, so
/// that the newest video is of the last minutes whenever it is shown.
package struct SampleFeeds: FeedTransport, Sendable {
  private let folder: String
  /// Seconds added to each time.
  private let shift: Int64

  /// Reads the feeds to find their newest video. Throws if they have no video, or if a file is not a feed.
  package init(folder: String, at now: Timestamp) throws {
    self.folder = folder
    var newest: Timestamp?
    for name in File.names(in: folder) where name.hasSuffix(".xml") {
      let path = "\(folder)/\(name)"
      do {
        for entry in try Feed(xml: File.read(path, limit: SampleFeeds.limit)).entries {
          newest = max(newest ?? entry.published, entry.published)
        }
      } catch let error as ParseError {
        throw Failure(PollError.sampleFeed(path: path, error))
      }
    }
    guard let newest else { throw Failure(PollError.noSampleFeeds(folder: folder)) }
    shift = now.seconds(since: newest) - SampleFeeds.age
  }

  /// How old the newest video is, seconds.
  private static let age: Int64 = 300
  private static let limit = 1 << 20

  package func run(
    wakeDescriptor _: Int32?, isAborted: () -> Bool, next: () -> HTTPStep, finished: (HTTPOutcome) -> Void
  ) {
    while !isAborted() {
      switch next() {
      case .request(let request): finished(outcome(of: request))
      case .wait(let duration): usleep(UInt32(clamping: duration.components.seconds * 1_000_000 + 1000))
      case .idle: usleep(1000)
      case .done: return
      }
    }
  }

  /// The feed of a channel, else 404.
  private func outcome(of request: HTTPRequest) -> HTTPOutcome {
    // A file that went since `init` read all of them counts as absent, as a feed that YouTube no longer has.
    let parts = request.url.split(separator: "channel_id=", maxSplits: 1)
    guard parts.count == 2, let channel = ChannelID(String(parts[1])),
      let bytes = try? File.read("\(folder)/\(channel).xml", limit: SampleFeeds.limit)
    else { return HTTPOutcome(of: request, status: 404, body: []) }
    return HTTPOutcome(of: request, status: 200, body: moved(bytes))
  }

  /// A feed with `published` and `updated` moved.
  func moved(_ bytes: [UInt8]) -> [UInt8] {
    var moved: [UInt8] = []
    moved.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      moved += rest[..<start]
      rest = rest[start...]
      guard let tag = SampleFeeds.tags.first(where: { rest.starts(with: $0) }),
        let end = rest.dropFirst(tag.count).firstIndex(of: UInt8(ascii: "<")),
        let time = Timestamp(rfc3339: rest[(rest.startIndex + tag.count)..<end])
      else {
        moved.append(rest.removeFirst())
        continue
      }
      moved += tag + Array(Timestamp(seconds: time.seconds + shift).rfc3339.utf8)
      rest = rest[end...]
    }
    return moved + rest
  }

  private static let tags = ["<published>", "<updated>"].map { Array($0.utf8) }
}
