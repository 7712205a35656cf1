/// A JSON value that is in memory.
enum JSONValue: Equatable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A name and its value.
  struct Member: Equatable {
    var name: String
    var value: JSONValue
  }

  /// The value of this name in an object, the last of several; nil where there is none or this is no object.
  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The text, where this is one that is not empty.
  var text: String? {
    if case .string(let text) = self, !text.isEmpty { text } else { nil }
  }

  /// The number, where this is one.
  var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The elements, where this is an array.
  var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
