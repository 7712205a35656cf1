/// A JSON value in memory.
enum JSONValue: Equatable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// An object member: name and value.
  struct Member: Equatable {
    var name: String
    var value: JSONValue
  }

  /// The last member with this name; nil if absent or not an object.
  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The string; nil if empty or another type.
  var text: String? {
    if case .string(let text) = self, !text.isEmpty { text } else { nil }
  }

  /// The number; nil if another type.
  var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The elements; nil if not an array.
  var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
