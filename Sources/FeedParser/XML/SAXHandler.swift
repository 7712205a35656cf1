/// Receives the parse events of one document, in document order.
///
/// A name or an attribute is valid until the method returns.
protocol DocumentBuilder {
  /// The error found, by the builder or by libxml2: set once, and no event follows it.
  var damage: XMLDamage? { get set }
  /// The limits for this document.
  var limits: Limits { get }

  /// An element starts.
  mutating func start(_ name: ElementName, _ attributes: Attributes, at spot: Spot)
  /// The innermost open element ends.
  mutating func end(at spot: Spot)
  /// A piece of the text in the innermost open element.
  mutating func text(_ piece: Span<UInt8>, at spot: Spot)
  /// The document has a document type, which is refused; `root` is the name it gives the root element.
  mutating func doctype(root: String, at spot: Spot)
}

extension DocumentBuilder {
  /// Records the first error; anything after it is unreliable.
  mutating func refuse(_ found: XMLDamage) {
    if damage == nil { damage = found }
  }
}

/// The parser's position at an event: just after it; line and column from 1.
struct Spot {
  let line: Int32
  let column: Int32
}

extension XMLDamage {
  /// The error for a libxml2 code at this position.
  static func malformed(code: Int32, at spot: Spot) -> XMLDamage {
    .malformed(code: code, line: Int(spot.line), column: Int(spot.column))
  }
}
