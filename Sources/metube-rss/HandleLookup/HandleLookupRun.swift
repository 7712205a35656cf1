import Core
import HTTPClient

/// `channels --resolve`: looks up every name that is due.
struct NameResolving {
  private let session: Session

  init(_ session: Session) { self.session = session }

  /// Looks them up and prints the results.
  func run() throws { try session.whilePolling(lookUp) }

  private func lookUp() throws {
    let file = MemoryFile(session)
    let memory = file.readToAsk(at: session.now)
    if let pause = memory.pause, pause.retry > session.now {
      throw Failure(.later, "requests to YouTube are paused until \(pause.retry.rfc3339); try again after that")
    }
    var names = try NameResolution(session, memory, most: .max, deadline: nil)
    if !names.isEmpty {
      let fetcher = try Fetcher(session.settings, jobs: 1)
      defer { tell(names.report) }
      try names.run(with: fetcher)
      try file.write(names.memory)
    }
    try show(names.report)
    if names.report.ending != nil { throw ExitStatus.inPart }
    if names.report.stopped != nil { throw ExitStatus.later }
    if !names.report.failed.isEmpty || !names.report.unanswered.isEmpty { throw ExitStatus.inPart }
  }

  private func tell(_ report: NameReport) {
    for line in report.complaints { Messages.tell(line) }
  }

  private func show(_ report: NameReport) throws {
    var output = Output()
    for (name, subscription) in report.resolved {
      let title = session.state.channels[subscription].flatMap { $0.hasTitle ? $0.title : nil } ?? ""
      output.write("\(name) is \(subscription)  \(DisplayText(title).text)\n")
    }
    if report.waiting > 0 { output.write("\(Words.count(report.waiting, "handle")) not yet looked up\n") }
    if report.resolved.isEmpty, report.waiting == 0, report.failed.isEmpty { output.write("no handles to look up\n") }
    try output.finish()
  }
}
