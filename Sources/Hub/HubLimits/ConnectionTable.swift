/// Which connection makes room when too many are open.
///
/// First goes one that costs a client nothing to hold: one without a request, or with the unfinished body of a client
/// that has not logged in; of the address that holds most connections, the oldest. Then goes one that is answered
/// without credentials, by the same order. Only if there is none goes one of a user, of the user who holds most, the
/// oldest: an unfinished body, an event stream, or a long response, else any, but never the only one of a user that
/// waits for a response.
package struct ConnectionTable<ID: Hashable & Sendable>: Sendable {
  /// What a connection does.
  package enum Activity: Sendable {
    /// Has sent no request, or not all of its head.
    case idle
    /// Has not sent all of the body.
    case sending
    case answered
    /// Receives a long response.
    case downloading
    /// Receives events.
    case listening
  }

  /// Who sends a request.
  package enum Sender: Sendable, Equatable {
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

  package let maximum: Int
  private var rows: [ID: Row] = [:]
  private var lastTurn = 0

  package init(maximum: Int) { self.maximum = maximum }

  package var count: Int { rows.count }

  /// Adds a connection; returns the one that must close for it, which may be the same, and forgets that one.
  package mutating func add(_ id: ID, from peer: String?) -> ID? {
    lastTurn += 1
    rows[id] = Row(peer: peer, turn: lastTurn)
    guard rows.count > maximum else { return nil }
    let closed = cheapest(but: id) ?? ofStranger ?? ofGreediestUser ?? id
    rows[closed] = nil
    return closed
  }

  package mutating func remove(_ id: ID) { rows[id] = nil }

  /// Notes what a connection does from now on. One without a request has no sender.
  package mutating func set(_ id: ID, _ activity: Activity) {
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
  package mutating func set(_ id: ID, client: String) { rows[id]?.client = client }

  /// Notes who sends a connection's present request.
  package mutating func set(_ id: ID, sender: Sender) { rows[id]?.sender = sender }

  /// Whether a connection has an unfinished body for a route that needs no login.
  package func isSendingAsStranger(_ id: ID) -> Bool {
    guard let row = rows[id], case .sending = row.activity else { return false }
    return row.sender == .stranger
  }

  /// The oldest connection of a stranger, of the address that holds most.
  private func cheapest(but newcomer: ID) -> ID? {
    first(but: newcomer, by: { $0.address }) { row, _ in
      switch row.activity {
      case .idle: 0
      case .sending: row.user == nil ? 0 : nil
      case .answered, .downloading, .listening: nil
      }
    }
  }

  /// The oldest connection that is answered without credentials, of the address that holds most.
  private var ofStranger: ID? {
    first(but: nil, by: { $0.address }) { row, _ in
      guard row.sender == .stranger else { return nil }
      switch row.activity {
      case .answered, .downloading: return 0
      case .idle, .sending, .listening: return nil
      }
    }
  }

  private var ofGreediestUser: ID? {
    first(but: nil, by: { $0.user }) { row, held in
      guard row.user != nil else { return nil }
      switch row.activity {
      case .sending, .downloading, .listening: return 0
      // A change may be under way.
      case .answered: return held > 1 ? 1 : nil
      case .idle: return nil
      }
    }
  }

  /// The connection to close, of the holder with most of all connections: of the lowest `rank` the oldest; none without
  /// a rank, which depends on how many the holder has. Without a holder each counts alone.
  private func first(
    but newcomer: ID?, by holder: (Row) -> String?, _ rank: (_ row: Row, _ held: Int) -> Int?
  ) -> ID? {
    var held: [String: Int] = [:]
    for row in rows.values { if let name = holder(row) { held[name, default: 0] += 1 } }
    let candidates = rows.filter { $0.key != newcomer }.compactMap { id, row in
      let count = holder(row).flatMap { held[$0] } ?? 1
      return rank(row, count).map { (id: id, order: (-count, $0, row.turn)) }
    }
    return candidates.min { $0.order < $1.order }?.id
  }
}
