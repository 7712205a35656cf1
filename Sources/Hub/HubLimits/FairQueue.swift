/// Who may use what only a few can use at once, such as threads. A slot that becomes free goes to a user who holds the
/// fewest; of several such users, each takes a turn. So what a user requests waits for other requests of that user, not
/// for all of them.
///
/// `maxOfOne` below `slots` keeps slots free for those who come next.
package struct FairQueue {
  /// A request, by a number of its own.
  package typealias Ticket = Int

  /// What becomes of a request that arrives.
  package enum Arrival: Equatable {
    case starts
    case waits
    /// Too many wait: of this user, or of all.
    case refused(ofUser: Bool)
  }

  package let slots: Int
  package let maxOfOne: Int
  package let maxWaiting: Int
  package let maxWaitingOfOne: Int

  /// The users with requests that wait, the one whose turn is next first.
  private var turns: [String] = []
  private var waiting: [String: [Ticket]] = [:]
  private var held: [String: Int] = [:]
  private(set) var waitingCount = 0
  private(set) var heldCount = 0

  package init(slots: Int, maxOfOne: Int, maxWaiting: Int, maxWaitingOfOne: Int) {
    precondition(slots > 0 && maxOfOne > 0, "without a slot nothing ever starts")
    (self.slots, self.maxOfOne) = (slots, maxOfOne)
    (self.maxWaiting, self.maxWaitingOfOne) = (maxWaiting, maxWaitingOfOne)
  }

  /// Takes a request of a user. One that starts holds a slot until it leaves.
  package mutating func arrive(_ ticket: Ticket, of user: String) -> Arrival {
    if startAtOnce(user) { return .starts }
    guard waiting[user, default: []].count < maxWaitingOfOne else { return .refused(ofUser: true) }
    guard waitingCount < maxWaiting else { return .refused(ofUser: false) }
    if waiting[user] == nil { turns.append(user) }
    waiting[user, default: []].append(ticket)
    waitingCount += 1
    return .waits
  }

  /// Takes a request of a user if it need not wait; returns whether it did.
  package mutating func startAtOnce(_ user: String) -> Bool {
    // While a slot is free, only users wait who may not have more.
    guard mayHoldMore(user), heldCount < slots else { return false }
    hold(user)
    return true
  }

  /// Takes back a user's slot; returns the request that gets one now.
  package mutating func leave(_ user: String) -> Ticket? {
    precondition(held[user] != nil, "only a slot that is held is given back")
    heldCount -= 1
    held[user] = held[user] == 1 ? nil : held[user].map { $0 - 1 }
    putLast(user)
    guard let next = next, let ticket = waiting[next]?.first else { return nil }
    putLast(next)
    _ = giveUp(ticket, of: next)
    hold(next)
    return ticket
  }

  /// Drops a request that waits; returns whether it did.
  package mutating func giveUp(_ ticket: Ticket, of user: String) -> Bool {
    guard let index = waiting[user]?.firstIndex(of: ticket) else { return false }
    waiting[user]?.remove(at: index)
    waitingCount -= 1
    if waiting[user]?.isEmpty == true {
      waiting[user] = nil
      turns.removeAll { $0 == user }
    }
    return true
  }

  /// Puts the next turn of a user behind those of the others.
  private mutating func putLast(_ user: String) {
    guard let index = turns.firstIndex(of: user) else { return }
    turns.append(turns.remove(at: index))
  }

  private func mayHoldMore(_ user: String) -> Bool { held[user, default: 0] < maxOfOne }

  /// Who gets the next slot.
  private var next: String? {
    turns.filter(mayHoldMore).min { held[$0, default: 0] < held[$1, default: 0] }
  }

  private mutating func hold(_ user: String) {
    held[user, default: 0] += 1
    heldCount += 1
  }
}
