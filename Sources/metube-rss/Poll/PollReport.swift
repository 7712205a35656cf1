import Core

/// What a poll did; the members of its JSON form and their order are the contract of `poll --format json`.
struct PollReport {
  /// Answers received and understood.
  var checked = 0
  var notDue = 0
  var new = 0
  var changed = 0
  var gaps = 0
  var outage = false
  var stopped: StopReason?
  var milliseconds = 0
  /// Bytes received.
  var bytes = 0
  /// The time in which nothing is asked, where one goes on.
  var pause: Pause?
  var failures: [PollRun.Failure] = []
  /// Whether the channels' feeds failed and their playlists' feeds were asked instead.
  var usedOtherForm = false
  /// How many due feeds were not asked because the run stopped.
  var unasked = 0
  /// How many names are still to be looked up because the run stopped while it did that.
  var namesLeft = 0
  /// Subscriptions that were well before and failed now, each as `UC… REASON`.
  var failing: [String] = []
  /// Subscriptions that failed before and are well now.
  var recovered: [SubscriptionID] = []

  /// Feeds that could not be read.
  var failed: Int { failures.count }

  /// Takes over what a run came to; `failing` are the feeds that were well before.
  mutating func take(_ failing: [PollRun.Failure], of run: PollRun) {
    checked = run.checked
    notDue -= run.controlsAsked.count
    failures = run.failures
    outage = run.isOutage
    stopped = run.stopped
    unasked = run.unasked
    usedOtherForm = run.usesOtherForm
    self.failing = failing.map { "\($0.subscription) \($0.answer.words)" }
    recovered = run.recovered
  }

  /// The report as one JSON object.
  var json: JSONLine {
    var line = JSONLine()
    line.add("checked", checked)
    line.add("notDue", notDue)
    line.add("failed", failed)
    line.add("new", new)
    line.add("changed", changed)
    line.add("gaps", gaps)
    line.add("outage", outage)
    line.add("stopped", stopped?.rawValue)
    line.add("seconds", milliseconds: milliseconds)
    line.add("bytes", bytes)
    line.add("pausedUntil", pause?.retry)
    line.add("pauseReason", pause?.reason.rawValue)
    line.add("failures", objects: failures.map(PollReport.json))
    return line
  }

  /// The report as the log keeps it.
  var event: RunFinished {
    RunFinished(
      checked: checked, notDue: notDue, failed: failed, new: new, changed: changed, gaps: gaps, outage: outage,
      stopped: stopped, milliseconds: milliseconds, bytes: bytes, failing: failing,
      recovered: recovered.map(\.description))
  }

  private static func json(_ failure: PollRun.Failure) -> JSONLine {
    var line = JSONLine()
    line.add("channel", failure.subscription.description)
    line.add("reason", failure.answer.words)
    line.add("status", failure.answer.status)
    return line
  }
}
