import Core
import SlowFold

@testable import EventLog

/// A journal, and the slow fold of what it passed on.
final class FoldedJournal {
  private(set) var journal: Journal
  private var folded = SlowFold()
  private let open: () throws(LogError) -> Journal
  /// Folds that were compared; a digest is an index into them.
  private var compared: [SlowFold] = []

  /// Opens the logs and reads them.
  init(
    folders: Folders, device: DeviceID?, machine: String? = DeviceIdentity.machine, clock: @escaping () -> UInt64
  ) throws(LogError) {
    open = { () throws(LogError) in
      try Journal(folders: folders, device: device, machine: machine, coverage: nil, clock: clock)
    }
    journal = try open()
    try reopen()
  }

  /// Reads everything again.
  private func reopen() throws(LogError) {
    journal = try open()
    folded = SlowFold()
    journal.receive = { [unowned self] event, _, _ in folded.apply(event) }
    journal.digest = { [unowned self] events in
      var fold = SlowFold()
      events { fold.apply($0) }
      if !compared.contains(fold) { compared.append(fold) }
      return compared.firstIndex(of: fold).map(UInt64.init)
    }
    try journal.refresh()
  }

  /// What the logs amounted to when they were last read.
  var state: SlowFold { folded }
  var findings: [LogFinding] { journal.findings }
  var device: DeviceID? { journal.device }

  func refresh() throws(LogError) {
    try journal.refresh()
    if journal.isStale { try reopen() }
  }

  /// Appends what `decide` makes of the logs at their end.
  func commit(
    action: EventID?, undoing: EventID?, _ decide: (SlowFold) -> [EventBody]
  ) throws(LogError) -> [Event] {
    let events = try journal.commit(action: action, undoing: undoing) { journal.isStale ? [] : decide(folded) }
    guard journal.isStale else { return events }
    try reopen()
    return try journal.commit(action: action, undoing: undoing) { decide(folded) }
  }

  func text(of description: Description) throws(LogError) -> String { try journal.text(of: description) }
  func foldedText(of description: Description) throws(LogError) -> [UInt8] { try journal.foldedText(of: description) }
  func ownFile() throws(LogError) -> LogFile? { try journal.ownFile() }
  func verify() throws(LogError) -> LogReport { try journal.verify() }
  func damage() throws(LogError) -> [DamagedLine] { try journal.damage() }

  func compact() throws(LogError) -> RewriteReport? {
    let report = try journal.compact()
    try refresh()
    return report
  }

  func repair() throws(LogError) -> RewriteReport? {
    let report = try journal.repair()
    try refresh()
    return report
  }

  func merge(from folder: String) throws(LogError) -> [MergeReport] {
    let reports = try journal.merge(from: folder)
    try refresh()
    return reports
  }
}
