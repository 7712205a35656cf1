import Core

/// Writes or reads the members of one line, in the order in which a schema names them.
///
/// A schema is a function from a body to the same body. Writing, it is given one and passes its members through the
/// coder; reading, it is given nil and builds one from what the coder finds. So the two directions cannot differ in a
/// name, an order or a type.
protocol MemberCoder {
  /// A member that every line of the kind has; nil where a line read lacks it.
  mutating func member<Value: MemberValue>(_ name: StaticString, _ value: Value?) -> Value?
  /// A member that is left out where it is nil.
  mutating func option<Value: MemberValue>(_ name: StaticString, _ value: Value?) -> Value?
}

/// A body that has a schema.
protocol LineBody {
  /// The body through a coder; nil where a line read does not hold one.
  static func coded(_ body: Self?, by coder: inout some MemberCoder) -> Self?
}

/// A type of which a member's value can be.
protocol MemberValue {
  /// Appends the value as JSON.
  func write(to line: inout LineWriter)
  /// The value that a line holds, or nil where it is none of this type.
  init?(_ value: LineValue)
}

/// A value of a line that is being read, still as bytes.
struct LineValue {
  var sort: FlatObject.Sort
  /// The value's bytes; of a string without its quotes, of an array without its brackets.
  var bytes: UnsafeRawBufferPointer
  /// Where these bytes are in the log.
  var place: LogPlace

  /// The text, where the value is one and is UTF-8.
  var text: String? {
    switch sort {
    case .text: JSONString.plain(bytes)
    case .escapedText: JSONString.unescaped(bytes)
    case .number, .yes, .no, .null, .texts: nil
    }
  }
}
