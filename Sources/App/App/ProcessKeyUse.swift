import Core
import Platform
import Synchronization

/// How often a user of a data folder may do what uses units of the operator's key, which all users share. Counted in
/// this process, which is the only one that serves the folder; a restart forgets it.
struct ProcessKeyUse: KeyUseLimit {
  /// What is counted, each on its own.
  enum Kind { case older, search }

  private struct Key: Hashable {
    let home: String
    let kind: Kind
  }

  private let key: Key
  let maximum = KeyUses.maxInADay

  /// The requests of the user with this home.
  init(_ kind: Kind, home: String) { key = Key(home: home, kind: kind) }

  private static let day = 86_400_000
  /// When the last requests were made, on the monotonic clock, milliseconds.
  private static let uses = Mutex<[Key: [Int]]>([:])

  func count() -> Int64? {
    let now = Clock.steady()
    return ProcessKeyUse.uses.withLock { uses in
      var times = uses[key, default: []].filter { $0 > now - ProcessKeyUse.day }
      defer { uses[key] = times }
      if times.count >= maximum, let oldest = times.first {
        return Int64((oldest + ProcessKeyUse.day - now) / 1000 + 1)
      }
      times.append(now)
      return nil
    }
  }

  func forgetLast() { ProcessKeyUse.uses.withLock { _ = $0[key]?.popLast() } }
}
