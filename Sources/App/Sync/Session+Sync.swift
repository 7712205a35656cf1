import App
import Core
import EventLog
import Library
import Messages
import Platform

extension Session {
  /// Exchanges log lines with a hub, after other requests to it, and keeps how that went. Throws a `Failure`, also if
  /// another process does it.
  @discardableResult
  package func sync(with client: HubClient, after first: () throws -> Void) throws -> SyncReport {
    let lock: FileLock
    do {
      lock = try client.spending { try FileLock("\(home.state)/hub.lock", waiting: min($0, 10_000)) }
    } catch let error as LogError { throw UserMessages.failure(error) }
    defer { withExtendedLifetime(lock) {} }
    var sync = try LogSync(self, client, HubState(client.url, in: home))
    let result = Result {
      try first()
      try sync.run()
    }
    var state = sync.state
    switch result {
    case .success:
      state.noteSuccess(at: Clock.now())
      state.problem = sync.report.problem?.message
    // That the user ended it says nothing of the hub.
    case .failure where client.isEnded: break
    case .failure(let failure as Failure): state.noteFailure(failure.message, at: Clock.now())
    case .failure: state.noteFailure("failed", at: Clock.now())
    }
    try state.write(in: home)
    for finding in sync.report.forks + sync.report.mended { StandardError.report(finding) }
    try result.get()
    try Session.reporting { try library.refresh() }
    return sync.report
  }
}
