import Core
import Exporters

/// The result of a poll; its JSON members and their order are the contract of `poll --format json`.
struct PollReport {
  /// The run as it is logged.
  var run = RunFinished(
    checked: 0, notDue: 0, failed: 0, new: 0, changed: 0, gaps: 0, outage: false, stopped: nil, milliseconds: 0,
    bytes: 0, failing: [], recovered: [])
  /// The ongoing pause in requests, if any.
  var pause: Backoff?
  var failures: [PollRun.Failure] = []
  /// Whether the channel feeds failed and the playlist feeds were requested instead.
  var usedOtherForm = false
  /// The number of names not looked up because the run stopped during the lookup.
  var namesLeft = 0
  /// Whether everything failed and nothing shows whether YouTube or the feeds are at fault.
  var hasNothingToCompare = false
  /// The number of failures that count against no feed.
  var unblamed = 0

  /// Copies the results of a run; `failing` are the feeds that began to fail in it.
  mutating func take(_ failing: [PollRun.Failure], of poll: PollRun) {
    failures = poll.failures
    usedOtherForm = poll.usesOtherForm
    hasNothingToCompare = poll.hasNothingToCompare
    unblamed = failures.count { poll.memory.feeds[$0.subscription]?.failures ?? 0 == 0 }
    run.checked = poll.checked
    run.notDue -= poll.canariesRequested.count
    run.failed = failures.count
    run.outage = poll.isOutage
    run.stopped = poll.stopped
    run.unrequested = poll.unrequested
    run.failing = failing.map { "\($0.subscription) \($0.words)" }
    run.recovered = poll.recovered.map(\.description)
  }

  /// The report as one JSON object.
  var json: JSONLine {
    var line = JSONLine()
    run.addCounts(to: &line)
    line.add("pausedUntil", pause?.retry)
    line.add("pauseReason", pause?.reason.rawValue)
    line.add("unrequested", run.unrequested)
    line.add("failures", objects: failures.map(PollReport.json))
    return line
  }

  private static func json(_ failure: PollRun.Failure) -> JSONLine {
    var line = JSONLine()
    line.add("channel", failure.subscription.description)
    line.add("reason", failure.words)
    line.add("status", failure.answer.status)
    return line
  }
}

extension RunFinished {
  /// Adds the members that `poll` and `status` show of a run.
  func addCounts(to line: inout JSONLine) {
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
  }
}
