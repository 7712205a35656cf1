import Core
import EventLog

extension StateRecord {
  /// Adds a member unless its value is nil.
  package mutating func add(_ name: String, _ text: String?) {
    if let text { members.append(Member(name: name, value: .text(text))) }
  }

  /// Adds a member unless its value is nil.
  package mutating func add(_ name: String, _ number: Int64?) {
    if let number { members.append(Member(name: name, value: .number(Int(number)))) }
  }

  /// Adds a member unless its value is nil.
  package mutating func add(_ name: String, _ time: Timestamp?) { add(name, time?.rfc3339) }

  /// The text of a member; nil if it has none.
  package func text(_ name: String) -> String? {
    if case .text(let text) = self[name] { text } else { nil }
  }

  /// The number of a member; nil if it has none.
  package func number(_ name: String) -> Int64? {
    if case .number(let number) = self[name] { Int64(number) } else { nil }
  }

  /// The time of a member; nil if it has none.
  package func time(_ name: String) -> Timestamp? { text(name).flatMap { Timestamp(rfc3339: $0) } }
}
