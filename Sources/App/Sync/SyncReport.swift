import EventLog
import Exporters
import Messages
import Platform

/// What an exchange did.
package struct SyncReport {
  /// Bytes of log lines.
  var sent = 0
  var received = 0
  var requests = 0
  /// Bytes on the way, both ways.
  var traffic = 0
  /// Logs that forked: both sides keep both.
  var forks: [String] = []
  /// Logs whose damaged lines one side repaired from the other's.
  var mended: [String] = []
  /// Why something was left out.
  package var problem: Failure?
  /// How many bytes of log lines are to be sent and received in all, as far as the lengths of the logs show.
  private(set) var expected = (sent: 0, received: 0)

  /// Adds what another exchange with the same client did.
  package mutating func add(_ other: SyncReport) {
    (sent, received, forks) = (sent + other.sent, received + other.received, forks + other.forks)
    // The later exchange looked at all logs again.
    (mended, problem) = (mended + other.mended, other.problem)
    (requests, traffic) = (other.requests, other.traffic)
  }

  /// Takes from a hub's list and our logs how much is missing on either side.
  mutating func expect(_ table: LogTable, _ ours: [LogMark]) {
    func missing(_ logs: [LogMark], _ others: [LogMark]) -> Int {
      logs.filter { !$0.isDamaged && $0.end.length <= ExchangeLimits.usual.logBytes }.reduce(0) { sum, log in
        let known = others.filter { $0.log == log.log }.map(\.end.length).max() ?? 0
        return sum + Int(clamping: log.end.length - min(known, log.end.length))
      }
    }
    // A log that the hub lists is returned by its device alone.
    let own = ours.filter { log in !table.logs.contains { $0.device == log.device && $0.end.length >= log.end.length } }
    expected = (sent + missing(own, table.logs), received + missing(table.logs, ours))
  }

  /// `2 MB sent, 40 of 77 MB received`
  var progress: String {
    func amount(_ bytes: Int, of all: Int) -> String {
      let (done, all) = (bytes / 1_000_000, all / 1_000_000)
      return all > done ? "\(done) of \(all) MB" : "\(done) MB"
    }
    return "\(amount(sent, of: expected.sent)) sent, \(amount(received, of: expected.received)) received"
  }
}

extension SyncReport {
  /// Notes which logs are still damaged, in the folder of this device's or on the hub. What is intact in them was
  /// exchanged.
  mutating func noteDamage(of marks: [LogMark], in folder: String, and table: LogTable, of url: String) {
    func file(_ log: LogMark) -> String { "\(log.log).jsonl\(log.damagedLine.map { ", line \($0)" } ?? "")" }
    let here = marks.filter(\.isDamaged).map { FoundDamage.here(folder: folder, file: file($0)) }
    let listed = table.logs.filter(\.isDamaged)
    let there = listed.map { log in
      let remedy = table.damage.first { $0.log == log.log }?.remedy ?? "metube-hub log repair"
      return FoundDamage.there(url: url, file: file(log), remedy: remedy)
    }
    let others = table.damage.filter { damage in !listed.contains { $0.log == damage.log } }.map { damage in
      FoundDamage.beside(url: url, what: damage.what, remedy: damage.remedy)
    }
    let found = here + there + others
    guard !found.isEmpty else { return }
    problem = Failure(SyncError.damage(after: problem, found))
  }

  /// Notes what a hub did with a whole log that it merged.
  mutating func noteMerged(_ outcome: String, _ log: String, at url: String) {
    switch outcome {
    case "mended": mended.append("\(url): log \(log): damaged lines mended from ours")
    case "returned": mended.append("\(url): log \(log): the hub lacked lines of it, and has them again for you")
    case "fork": forks.append("\(url): log \(log): diverged; the hub keeps both")
    default: break
    }
  }

  /// `sent 412 bytes, received 1203 bytes`
  package var text: String {
    sent + received == 0
      ? "nothing new on either side\n" : "sent \(sent) bytes of log lines, received \(received)\n"
  }

  /// The report as one JSON object.
  package var json: JSONLine {
    var line = JSONLine()
    line.add("sent", sent)
    line.add("received", received)
    line.add("requests", requests)
    line.add("traffic", traffic)
    line.add("forks", forks.count)
    return line
  }
}
