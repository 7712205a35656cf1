/// A table of at most so many rows: when it is full, the half that was set first goes.
package struct BoundedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let maximum: Int
  private var rows: [Key: (value: Value, turn: UInt64)] = [:]
  private var lastTurn: UInt64 = 0

  package init(maximum: Int) { self.maximum = maximum }

  package var count: Int { rows.count }

  package subscript(key: Key) -> Value? {
    get { rows[key]?.value }
    set {
      guard let newValue else {
        rows[key] = nil
        return
      }
      if rows.count >= maximum, rows[key] == nil { removeOldest() }
      lastTurn += 1
      rows[key] = (newValue, lastTurn)
    }
  }

  private mutating func removeOldest() {
    let turns = rows.values.map(\.turn).sorted()
    let middle = turns[turns.count / 2]
    rows = rows.filter { $0.value.turn >= middle }
  }
}
