import Core

/// Per-machine state of what yt-dlp was run for.
package struct YtDlpState: Equatable, Sendable {
  /// When each channel was last listed.
  package var listed: [ChannelID: Timestamp] = [:]
  /// When listing a channel last failed, if it did since.
  package var failed: [ChannelID: Timestamp] = [:]

  /// When each playlist that was read as a whole, on request, was last read.
  package var playlists: [PlaylistID: Timestamp] = [:]

  /// The state before the first run.
  package init() {}

  /// The pause after a failure, and between two looks at a stream, seconds.
  private static let hour: Int64 = 3600

  /// The playlists that a poll reads again: once a day, the one that was read longest ago first.
  package func duePlaylists(at now: Timestamp) -> [PlaylistID] {
    playlists.filter { now.seconds(since: $0.value) >= 24 * YtDlpState.hour }.sorted {
      ($0.value, $0.key) < ($1.value, $1.key)
    }.map(\.key)
  }

  /// Whether a list of its channel's latest videos may say more about a video now.
  ///
  /// What was listed without it is listed again for it once a day, for a week: a log from another device may bring it later.
  package func isDue(_ candidate: EnrichmentCandidate, at now: Timestamp) -> Bool {
    guard let channel = candidate.channel else { return false }
    if let failed = failed[channel], now.seconds(since: failed) < YtDlpState.hour { return false }
    guard let listed = listed[channel] else { return true }
    let age = now.seconds(since: listed)
    if candidate.isEnriched { return age >= YtDlpState.hour }
    return candidate.found > listed || age >= 24 * YtDlpState.hour && candidate.isRecent(at: now)
  }
}

extension EnrichmentCandidate {
  fileprivate func isRecent(at now: Timestamp) -> Bool { now.seconds(since: published) < 7 * 86_400 }
}
