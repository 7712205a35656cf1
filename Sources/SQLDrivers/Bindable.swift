/// A value that a parameter can have.
package protocol Bindable {
  /// What kind of column it is for.
  static var columnType: ColumnType { get }
  func bind(to statement: Statement)
}

/// A kind of column that both engines have.
package enum ColumnType: Sendable {
  case integer, text, blob
}

extension Int64: Bindable {
  package static var columnType: ColumnType { .integer }
  package func bind(to statement: Statement) { statement.bind(self) }
}

extension Int: Bindable {
  package static var columnType: ColumnType { .integer }
  package func bind(to statement: Statement) { statement.bind(Int64(self)) }
}

extension Bool: Bindable {
  package static var columnType: ColumnType { .integer }
  package func bind(to statement: Statement) { statement.bind(self ? 1 : 0) }
}

extension String: Bindable {
  package static var columnType: ColumnType { .text }
  package func bind(to statement: Statement) { statement.bind(self) }
}

extension Array<UInt8>: Bindable {
  package static var columnType: ColumnType { .blob }
  package func bind(to statement: Statement) { statement.bind(span) }
}

extension Optional: Bindable where Wrapped: Bindable {
  package static var columnType: ColumnType { Wrapped.columnType }
  package func bind(to statement: Statement) {
    if let self { self.bind(to: statement) } else { statement.bindNull(Wrapped.columnType) }
  }
}

extension Statement {
  /// The case of an enumeration whose raw value is the text of a column.
  package func value<Value: RawRepresentable<String>>(_ column: Int, _: Value.Type) -> Value? {
    optionalText(column).flatMap { Value(rawValue: $0) }
  }
}
