import Core

/// Writes or reads the members of one line, in the order in which a schema lists them.
///
/// A schema is a function from a body to the same body. When writing, it receives a body and passes its members through
/// the coder; when reading, it receives nil and builds a body from the members the coder finds. So the two directions
/// cannot differ in a name, an order or a type.
protocol FieldCoder {
  /// A required member; nil if the line read lacks it.
  mutating func member<Value: FieldValue>(_ name: StaticString, _ value: Value?) -> Value?
  /// An optional member, omitted if nil.
  mutating func option<Value: FieldValue>(_ name: StaticString, _ value: Value?) -> Value?
}

/// A body with a schema.
protocol FieldSchema {
  /// Passes the body through a coder; nil if the line read does not contain one.
  static func coded(_ body: Self?, by coder: inout some FieldCoder) -> Self?
}

/// A type that a member's value can have.
protocol FieldValue {
  /// Appends the value as JSON.
  func write(to line: inout LineWriter)
  /// The value in a line; nil if it is not of this type.
  init?(_ value: LineValue)
}

/// A value of a line being read, still as bytes.
struct LineValue {
  var sort: FlatObject.Sort
  /// The value's bytes; a string's without its quotes, an array's without its brackets.
  var bytes: UnsafeRawBufferPointer
  /// The position of these bytes in the log.
  var place: LogRange

  /// The value as text; nil if it is not a string or not UTF-8.
  var text: String? {
    switch sort {
    case .text: JSONString.plain(bytes)
    case .escapedText: JSONString.unescaped(bytes)
    case .number, .yes, .no, .null, .texts: nil
    }
  }
}
