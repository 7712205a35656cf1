import Core
import Exporters

/// The result of a poll; its JSON members and their order are the contract of `poll --format json`.
struct PollReport {
  /// Responses received and parsed.
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
  /// The ongoing pause in requests, if any.
  var pause: Backoff?
  var failures: [PollRun.Failure] = []
  /// Whether the channel feeds failed and the playlist feeds were requested instead.
  var usedOtherForm = false
  /// The number of due feeds not requested because the run stopped.
  var unrequested = 0
  /// The number of names not looked up because the run stopped during the lookup.
  var namesLeft = 0
  /// Subscriptions that began to fail in this run, each as `UC… REASON`.
  var failing: [String] = []
  /// Whether everything failed and nothing shows whether YouTube or the feeds are at fault.
  var hasNothingToCompare = false
  /// The number of failures that count against no feed.
  var unblamed = 0
  /// Subscriptions that failed before and recovered.
  var recovered: [SubscriptionID] = []

  /// The number of failed feeds.
  var failed: Int { failures.count }

  /// Copies the results of a run; `failing` are the feeds that began to fail in it.
  mutating func take(_ failing: [PollRun.Failure], of run: PollRun) {
    checked = run.checked
    notDue -= run.canariesRequested.count
    failures = run.failures
    outage = run.isOutage
    stopped = run.stopped
    unrequested = run.unrequested
    usedOtherForm = run.usesOtherForm
    hasNothingToCompare = run.hasNothingToCompare
    unblamed = failures.count { run.memory.feeds[$0.subscription]?.failures ?? 0 == 0 }
    self.failing = failing.map { "\($0.subscription) \($0.words)" }
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
    line.add("unrequested", unrequested)
    line.add("failures", objects: failures.map(PollReport.json))
    return line
  }

  /// The report as a log event.
  var event: RunFinished {
    RunFinished(
      checked: checked, notDue: notDue, failed: failed, new: new, changed: changed, gaps: gaps, outage: outage,
      stopped: stopped, milliseconds: milliseconds, bytes: bytes, failing: failing,
      recovered: recovered.map(\.description), unrequested: unrequested)
  }

  private static func json(_ failure: PollRun.Failure) -> JSONLine {
    var line = JSONLine()
    line.add("channel", failure.subscription.description)
    line.add("reason", failure.words)
    line.add("status", failure.answer.status)
    return line
  }
}

/// A progress line for a poll on a terminal; silent if standard error is not a terminal.
struct PollProgress {
  private let total: Int
  private let isShown: Bool
  private var shown = 0

  init(total: Int) {
    self.total = total
    isShown = StandardError.showsProgress && total > 0
  }

  /// Shows the counts, at most ten times a second.
  mutating func show(checked: Int, new: Int, failed: Int) {
    guard isShown else { return }
    let now = Clock.steady()
    guard now - shown >= 100 else { return }
    shown = now
    let failures = failed > 0 ? ", \(failed) failed" : ""
    StandardError.write("\r\u{1B}[K\(checked + failed) of \(total) feeds, \(new) new\(failures)")
  }

  /// Clears the line.
  func clear() {
    if isShown, shown > 0 { StandardError.write("\r\u{1B}[K") }
  }
}
