import App
import Core
import Messages
import Platform
import YouTube

/// A search on all of YouTube, sent once because a person asked for it: the Data API's if there is a key, else yt-dlp's if
/// METUBE_RSS_ENRICH says so. Nothing of it is logged.
package struct YouTubeSearch {
  /// Who is searched with, and what it costs.
  package struct Offer: Equatable, Sendable {
    package let source: EnrichmentSource
    /// The units of the Data API that it costs.
    package let cost: Int
    /// The units left today; nil if it costs none.
    package let left: Int?

    /// `100 of the 4900 units left today`, or `yt-dlp`.
    package var price: String {
      left.map { "\(cost) of the \(UserMessages.count($0, "unit")) left today" } ?? "with yt-dlp"
    }
  }

  /// What was found.
  package struct Outcome<Found: Sendable>: Sendable {
    package var found: [Found]
    package let source: EnrichmentSource
    /// The units used, and those left today; nil if it costs none.
    package var units: Int
    package var left: Int?
  }

  private let text: SearchText
  private let session: Session
  /// When to give up, on the monotonic clock.
  private let deadline: Int?
  /// The units used so far, also if the search failed.
  package private(set) var units = 0

  package init(_ text: SearchText, in session: Session, deadline: Int?) {
    (self.text, self.session, self.deadline) = (text, session, deadline)
  }

  /// What a search costs; nil if neither a key nor yt-dlp is set up. Throws if a setting is invalid.
  package static func offer(in session: Session) throws -> Offer? {
    switch try EnrichmentSource(session.settings) {
    case .api:
      guard let settings = try APISettings(session.settings) else { return nil }
      return Offer(source: .api, cost: APIRequest.searchCost, left: try settings.units(in: session).left)
    case .ytDlp:
      // It would request YouTube's pages outside the pace that pollers share.
      return session.workspace.files == nil ? nil : Offer(source: .ytDlp, cost: 0, left: nil)
    case nil: return nil
    }
  }

  /// The channels that YouTube finds, without what the log knows of them.
  package mutating func channels() throws -> Outcome<ChannelMatch> {
    try results(.channels, SearchResponse.channels, address: SearchDump.channelPage(of: text), SearchDump.channels)
  }

  /// The videos that YouTube finds.
  package mutating func videos() throws -> Outcome<YouTubeVideo> {
    try results(
      .videos, SearchResponse.videos, address: "ytsearch\(APIRequest.maxResults):\(text.text)", SearchDump.videos)
  }

  private mutating func results<Found: Sendable>(
    _ kind: SearchKind, _ read: ([UInt8]) throws(APIFailure) -> [Found], address: String,
    _ readDump: ([UInt8]) -> [Found]
  ) throws -> Outcome<Found> {
    switch try YouTubeSearch.offer(in: session)?.source {
    case .api: return try ask(kind, read)
    case .ytDlp: return Outcome(found: try list(address, readDump), source: .ytDlp, units: 0, left: nil)
    case nil: throw YouTubeSearch.unavailable
    }
  }

  /// That there is nothing to search with.
  package static let unavailable = Failure(PollError.noSearchSource)

  private mutating func ask<Found: Sendable>(
    _ kind: SearchKind, _ read: ([UInt8]) throws(APIFailure) -> [Found]
  ) throws -> Outcome<Found> {
    guard let settings = try APISettings(session.settings) else { throw YouTubeSearch.unavailable }
    let (request, session) = (APIRequest.search(text, kind), session)
    var found: [Found] = []
    var left: Int?
    try session.workspace.whileCountingUnits {
      let api = try APISession(settings, session, deadline: deadline)
      defer { units = api.units }
      if let failure = try api.attempt({ found = try api.ask(request, read) }) { throw failure }
      left = try api.left
    }
    return Outcome(found: found, source: .api, units: units, left: left)
  }

  private func list<Found>(_ address: String, _ read: ([UInt8]) -> [Found]) throws -> [Found] {
    let program = try YtDlpProgram(session.settings)
    let range = "1:\(APIRequest.maxResults)"
    let capture = program.run(["--flat-playlist", "--dump-json", "--playlist-items", range], address, until: deadline)
    switch capture.ending {
    case .exited(0): return read(capture.output)
    case .notStarted: throw YtDlpProgram.missing(capture.ending)
    case .interrupted: throw Failure(PollError.searchStopped)
    case .exited, .killed, .timedOut, .wroteTooMuch:
      throw Failure(PollError.ytDlpSearch(text: text.text, reason: YtDlpProgram.reason(capture)))
    }
  }
}
