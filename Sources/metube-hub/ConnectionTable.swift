/// Which connection makes room when too many are open.
///
/// First goes one that costs a client nothing to hold: one without a request, or with the unfinished body of a client that
/// has not logged in; of the address that holds most connections, the oldest. Only if there is none goes one of a user: an
/// unfinished body or an event stream, of the user who holds most, the oldest. A connection whose request is being
/// answered never goes.
struct ConnectionTable<ID: Hashable & Sendable>: Sendable {
  /// What a connection does.
  enum Activity: Sendable {
    /// Has sent no request, or not all of its head.
    case idle
    /// Has not sent all of the body.
    case sending
    case answered
    /// Receives events.
    case listening
  }

  /// Who sends a request.
  enum Sender: Sendable, Equatable {
    /// Not known yet.
    case unknown
    /// A client that need not log in.
    case stranger
    case user(String)
  }

  private struct Row {
    /// The address of the other side; nil for a proxy, whose connections belong to many.
    let peer: String?
    /// The address of the client, as a proxy reports it, while there is a request.
    var client: String?
    var activity = Activity.idle
    var sender = Sender.unknown
    /// When the activity began.
    var turn: Int

    var address: String? { client ?? peer }
    var user: String? { if case .user(let name) = sender { name } else { nil } }
  }

  let most: Int
  private var rows: [ID: Row] = [:]
  private var lastTurn = 0

  init(most: Int) { self.most = most }

  var count: Int { rows.count }

  /// Adds a connection; returns the one that must close for it, which may be the same, and forgets that one.
  mutating func add(_ id: ID, from peer: String?) -> ID? {
    lastTurn += 1
    rows[id] = Row(peer: peer, turn: lastTurn)
    guard rows.count > most else { return nil }
    let closed = cheapest(but: id) ?? ofGreediestUser ?? id
    rows[closed] = nil
    return closed
  }

  mutating func remove(_ id: ID) { rows[id] = nil }

  /// Notes what a connection does from now on. One without a request has no sender.
  mutating func set(_ id: ID, _ activity: Activity) {
    guard rows[id] != nil else { return }
    lastTurn += 1
    rows[id]?.activity = activity
    rows[id]?.turn = lastTurn
    if case .idle = activity {
      rows[id]?.client = nil
      rows[id]?.sender = .unknown
    }
  }

  /// Notes the client that a connection's present request comes from.
  mutating func set(_ id: ID, client: String) { rows[id]?.client = client }

  /// Notes who sends a connection's present request.
  mutating func set(_ id: ID, sender: Sender) { rows[id]?.sender = sender }

  /// Whether a connection has an unfinished body for a route that needs no login.
  func isSendingAsStranger(_ id: ID) -> Bool {
    guard let row = rows[id], case .sending = row.activity else { return false }
    return row.sender == .stranger
  }

  /// The oldest connection of a stranger, of the address that holds most.
  private func cheapest(but newcomer: ID) -> ID? {
    first(but: newcomer, by: { $0.address }) { row in
      switch row.activity {
      case .idle: true
      case .sending: row.user == nil
      case .answered, .listening: false
      }
    }
  }

  private var ofGreediestUser: ID? {
    first(but: nil, by: { $0.user }) { row in
      switch row.activity {
      case .sending, .listening: row.user != nil
      case .idle, .answered: false
      }
    }
  }

  /// The oldest connection that may close, of the holder with most of all connections. Without a holder each counts alone.
  private func first(but newcomer: ID?, by holder: (Row) -> String?, _ mayClose: (Row) -> Bool) -> ID? {
    var held: [String: Int] = [:]
    for row in rows.values { if let name = holder(row) { held[name, default: 0] += 1 } }
    func weight(_ row: Row) -> Int { holder(row).flatMap { held[$0] } ?? 1 }
    let candidates = rows.filter { $0.key != newcomer && mayClose($0.value) }
    return candidates.min { (-weight($0.value), $0.value.turn) < (-weight($1.value), $1.value.turn) }?.key
  }
}
