/// A last-writer-wins register: the value with the highest event ID wins, in whatever order the events arrive.
package struct LWWRegister<Value: Sendable>: Sendable {
  package private(set) var value: Value
  /// The event that wrote it.
  package private(set) var id: EventID

  package init(_ value: Value, by id: EventID) {
    (self.value, self.id) = (value, id)
  }

  /// Writes a value unless a later event wrote one.
  package mutating func set(_ value: Value, by id: EventID) {
    guard id > self.id else { return }
    (self.value, self.id) = (value, id)
  }
}

/// A first-writer-wins register: the value with the lowest event ID wins, in whatever order the events arrive.
package struct FirstRegister<Value: Sendable>: Sendable {
  package private(set) var value: Value
  /// The event that wrote it.
  package private(set) var id: EventID

  package init(_ value: Value, by id: EventID) { (self.value, self.id) = (value, id) }

  /// Writes a value unless an earlier event wrote one.
  package mutating func set(_ value: Value, by id: EventID) {
    guard id < self.id else { return }
    (self.value, self.id) = (value, id)
  }
}

extension FirstRegister: Equatable where Value: Equatable {}

extension LWWRegister: Equatable where Value: Equatable {}

extension Optional {
  /// Writes a value unless a later event wrote one; nil is a register that was never written.
  package mutating func set<Value>(_ value: Value, by id: EventID) where Wrapped == LWWRegister<Value> {
    if self == nil { self = LWWRegister(value, by: id) } else { self?.set(value, by: id) }
  }

  /// Writes a value unless an earlier event wrote one; nil is a register that was never written.
  package mutating func set<Value>(_ value: Value, by id: EventID) where Wrapped == FirstRegister<Value> {
    if self == nil { self = FirstRegister(value, by: id) } else { self?.set(value, by: id) }
  }
}
