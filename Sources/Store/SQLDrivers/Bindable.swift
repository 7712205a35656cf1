/// A value that a parameter can have.
@usableFromInline package protocol Bindable {
  /// What kind of column it is for.
  static var columnType: ColumnType { get }
  func bind(to statement: Statement)
}

/// A kind of column that both engines have.
@usableFromInline package enum ColumnType: Sendable {
  case integer, text, blob
}

extension Int64: Bindable {
  @inlinable package static var columnType: ColumnType { .integer }
  @inlinable package func bind(to statement: Statement) { statement.bind(self) }
}

extension Int: Bindable {
  @inlinable package static var columnType: ColumnType { .integer }
  @inlinable package func bind(to statement: Statement) { statement.bind(Int64(self)) }
}

extension Bool: Bindable {
  @inlinable package static var columnType: ColumnType { .integer }
  @inlinable package func bind(to statement: Statement) { statement.bind(self ? 1 : 0) }
}

extension String: Bindable {
  @inlinable package static var columnType: ColumnType { .text }
  @inlinable package func bind(to statement: Statement) { statement.bind(self) }
}

extension Array<UInt8>: Bindable {
  @inlinable package static var columnType: ColumnType { .blob }
  @inlinable package func bind(to statement: Statement) { statement.bind(span) }
}

extension Optional: Bindable where Wrapped: Bindable {
  @inlinable package static var columnType: ColumnType { Wrapped.columnType }
  @inlinable package func bind(to statement: Statement) {
    if let self { self.bind(to: statement) } else { statement.bindNull(Wrapped.columnType) }
  }
}

extension Statement {
  /// The case of an enumeration whose raw value is the text of a column.
  @inlinable package func value<Value: RawRepresentable<String>>(_ column: Int, _: Value.Type) -> Value? {
    optionalText(column).flatMap { Value(rawValue: $0) }
  }
}
