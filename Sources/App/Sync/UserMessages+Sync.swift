import Core
import EventLog
import Messages
import Platform

/// What the terminal says of exchanges with a hub.
extension UserMessages {
  static func failure(_ error: SyncError) -> Failure {
    switch error {
    case .hub(let url, let flaw):
      let (status, text) = hub(flaw)
      return Failure(status, "\(url): \(text)")
    case .log(let url, let log, let flaw):
      let (status, text) = self.log(flaw)
      return Failure(status, "\(url): log \(log): \(text)")
    case .heldBack(let count, let last, let file): return Failure(.invalidInput, heldBack(count, until: last, file))
    case .unmerged(let report): return Failure(.disk, merge(report))
    case .damage(let earlier, let damage):
      return Failure(.disk, ((earlier.map { [$0.message] } ?? []) + damage.map(text)).joined(separator: "\n"))
    case .other(let text): return Failure(.disk, text)
    }
  }

  private static func hub(_ flaw: HubFlaw) -> (ExitStatus, String) {
    switch flaw {
    case .tooSlow(let seconds): (.temporaryFailure, "too slow: \(seconds) s without progress")
    case .tokenRefused: (.refused, "the hub refuses the token; pair this device: metube-rss pair URL CODE")
    case .interrupted: (.temporaryFailure, "interrupted")
    case .untrusted(let failure): (.refused, distrust(failure) ?? fetch(failure))
    case .noTLS(let code):
      (
        .temporaryFailure,
        "no TLS connection (libcurl \(code)); the address of a hub without TLS begins with http://"
      )
    case .noResponse(let failure): (.temporaryFailure, fetch(failure))
    case .failing(let detail): (.temporaryFailure, detail)
    case .refused(let detail): (.refused, detail)
    case .invalid(let detail): (.invalidInput, detail)
    case .notAHub: (.refused, "not a hub that can exchange logs")
    case .tooManyLogs(let count, let limit):
      (.invalidInput, "the hub lists \(count) logs; only \(limit) are exchanged")
    }
  }

  private static func log(_ flaw: LogFlaw) -> (ExitStatus, String) {
    switch flaw {
    case .notTaken(let detail): (.invalidInput, "\(detail); nothing of it was taken")
    case .notFetched(let bytes, let logs): (.invalidInput, "\(bytes) bytes, and \(logs) logs are here; not fetched")
    case .refused(let refusal):
      if case .damaged = refusal {
        (
          .invalidInput,
          "\(self.refusal(refusal)); not taken; the operator of the hub finds it with metube-hub log verify --all"
        )
      } else {
        (.invalidInput, "\(self.refusal(refusal)); not taken")
      }
    case .withheld(let bytes, let offset):
      (.temporaryFailure, "the hub lists \(bytes) bytes, but sends nothing after byte \(offset)")
    case .unmergedThere: (.temporaryFailure, "the hub could not merge it")
    case .sentTwice: (.temporaryFailure, "sent twice at once")
    }
  }

  private static func text(of damage: FoundDamage) -> String {
    switch damage {
    case .here(let folder, let file):
      "\(folder)/\(file): damaged on this device; its other lines were exchanged; run metube-rss log repair, "
        + "then sync again"
    case .there(let url, let file, let remedy):
      "\(url): \(file): damaged on the hub; its other lines were exchanged; the operator of the hub can repair it "
        + "with \(remedy)"
    case .beside(let url, let what, let remedy):
      "\(url): \(what), on the hub; the other lines were exchanged; the operator of the hub can repair it with "
        + remedy
    }
  }
}
