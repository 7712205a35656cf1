import Core
import HubCore

/// Fields as the APIs of readers have them.
extension HubCall {
  /// The values of a field of the form or the query.
  package func values(_ name: String) -> [String] { (form + query).filter { $0.name == name }.map(\.value) }

  /// The first value of a field; nil if it is absent or empty.
  package func value(_ name: String) -> String? { values(name).first { !$0.isEmpty } }

  /// A field that is a whole number. Throws a `HubProblem` if it is invalid or outside a range.
  package func number(_ name: String, within range: ClosedRange<Int>) throws -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else { throw HubProblem(400, "\(name): not such a number") }
    return number
  }

  /// The number in a variable part of the path. Throws a `HubProblem` if it is not a number.
  package func number(_ part: String) throws -> Int {
    guard let number = Int(self.part(part)), number > 0 else { throw HubProblem(404, "Resource Not Found") }
    return number
  }
}

extension HubService {
  /// The maximum number of entries in one response.
  package static let maxEntries = 1000
  /// The latest time in a request, far below integer overflow.
  package static let latest = 1 << 40
  /// The maximum number of videos that one request marks.
  package static let maxReaderMarks = 10_000
}
