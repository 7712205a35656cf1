import Core

/// Per-machine state of what yt-dlp was run for.
package struct YtDlpState: Equatable, Sendable {
  /// When each channel was last listed.
  package var listed: [ChannelID: Timestamp] = [:]
  /// When listing a channel last failed, if it did since.
  package var failed: [ChannelID: Timestamp] = [:]

  /// The state before the first run.
  package init() {}

  /// The pause after a failure, and between two looks at a stream, seconds.
  private static let hour: Int64 = 3600

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
