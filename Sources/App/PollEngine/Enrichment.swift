import App
import Core
import Messages
import Platform
import ReadModel
import YouTube

/// The source of what the feeds lack.
package enum EnrichmentSource: String, CaseIterable {
  case api
  case ytDlp = "yt-dlp"

  /// The Data API if there is a key, else what METUBE_RSS_ENRICH says; nil if it is unset. Throws if it is invalid.
  package init?(_ settings: Settings) throws {
    let setting = settings["ENRICH"]
    guard setting == nil || setting == EnrichmentSource.ytDlp.rawValue else {
      throw Failure(SettingError.enrichment(setting ?? ""))
    }
    if settings["API_KEY"] != nil {
      self = .api
    } else if setting != nil {
      self = .ytDlp
    } else {
      return nil
    }
  }
}

/// The result of looking videos up.
package struct EnrichmentReport {
  /// Videos looked up.
  package var requested = 0
  /// Channels looked up; with yt-dlp, those whose videos were.
  package var channels = 0
  /// Videos updated from the responses.
  package var learnt = 0
  /// Videos found to be removed.
  var removed = 0
  /// Why it ended early; nil if it did not.
  package var failure: Failure?

  package init(requested: Int = 0, channels: Int = 0, learnt: Int = 0, removed: Int = 0, failure: Failure? = nil) {
    (self.requested, self.channels, self.learnt, self.removed, self.failure) = (
      requested, channels, learnt, removed, failure
    )
  }

  /// Counts what was appended.
  package mutating func note(_ events: [Event]) {
    for event in events {
      switch event.body {
      case .videoEnriched: learnt += 1
      case .videoRemoved(let removal): removed += removal.removed ? 1 : 0
      default: break
      }
    }
  }

  /// `300 videos looked up, 283 updated, 2 removed from YouTube; 20 channels looked up`.
  package var summary: String {
    let removed = removed > 0 ? ", \(removed) removed from YouTube" : ""
    let channels = channels > 0 ? "; \(UserMessages.count(channels, "channel")) looked up" : ""
    return "\(UserMessages.count(requested, "video")) looked up, \(learnt) updated\(removed)\(channels)"
  }
}

extension Session {
  /// Looks up every due video, then every due channel in the Data API, to add facts that feeds lack. Results before a
  /// failure are kept; throws if the log or the disk fails.
  package func enrich(with api: APISession) throws -> EnrichmentReport {
    var report = EnrichmentReport()
    let candidates = try query { try $0.enrichmentCandidates() }.compactMap { try video($0.video) }
    var due = try api.memory.due(candidates, in: state, at: Clock.now())[...]
    while !due.isEmpty, report.failure == nil {
      var responses: [(requested: [VideoID], facts: [VideoEnriched])] = []
      var views: [VideoID: Int] = [:]
      report.failure = try api.attempt {
        // The results of ten requests are appended together.
        while !due.isEmpty, responses.count < 10 {
          let ids = Array(due.prefix(APIRequest.maximum))
          due = due.dropFirst(ids.count)
          let response = try api.ask(.videos(ids), VideoResponse.read)
          responses.append((ids, response.facts))
          views.merge(response.views) { $1 }
        }
      }
      try append(responses, api, &report)
      keep(views: views)
    }
    try lookUpChannels(api, &report)
    try describe(with: api, &report)
    return report
  }

  private func lookUpChannels(_ api: APISession, _ report: inout EnrichmentReport) throws {
    var due = try api.memory.dueChannels(in: state, at: Clock.now())[...]
    while !due.isEmpty, report.failure == nil {
      let ids = Array(due.prefix(APIRequest.maximum))
      due = due.dropFirst(ids.count)
      var facts: [ChannelEnriched]?
      report.failure = try api.attempt { facts = try api.ask(.channels(ids), ChannelResponse.read) }
      guard let facts else { break }
      var memory = api.memory
      let bodies = memory.events(facts, requested: ids, at: Clock.now())
      try commit { bodies }
      api.memory = memory
      try api.save()
      report.channels += ids.count
    }
  }

  private func append(
    _ responses: [(requested: [VideoID], facts: [VideoEnriched])], _ api: APISession, _ report: inout EnrichmentReport
  ) throws {
    var memory = api.memory
    let now = Clock.now()
    let events = try commit {
      try responses.flatMap { response in
        var known: [VideoID: Video] = [:]
        for id in response.requested { known[id] = try video(id) }
        return memory.events(response.facts, requested: response.requested, known: known, at: now)
      }
    }
    api.memory = memory
    try api.save()
    report.note(events)
    report.requested += responses.reduce(0) { $0 + $1.requested.count }
  }
}
