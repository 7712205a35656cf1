/// A JSON value in memory.
package enum JSONValue: Equatable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// An object member: name and value.
  package struct Member: Equatable {
    package var name: String
    package var value: JSONValue

    package init(name: String, value: JSONValue) { (self.name, self.value) = (name, value) }
  }

  /// Parses a whole document; nil if it is not JSON, or is beyond the limits of `JSONReader`.
  package init?(_ document: [UInt8]) {
    var reader = JSONReader(ByteReader(document))
    guard let value = try? reader.value(), (try? reader.expectEnd()) != nil else { return nil }
    self = value
  }

  /// The last member with this name; nil if absent or not an object.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The string; nil if another type.
  package var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// The string; nil if empty or another type.
  package var text: String? {
    if case .string(let text) = self, !text.isEmpty { text } else { nil }
  }

  /// The number; nil if another type.
  package var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The elements; nil if not an array.
  package var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
