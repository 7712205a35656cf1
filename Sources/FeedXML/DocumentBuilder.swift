/// What takes the events of one document, in its order.
///
/// A name or an attribute is good until the method returns.
protocol DocumentBuilder {
  /// What was found wrong, by the builder or by libxml2: set once, and no event follows.
  var damage: XMLDamage? { get set }
  /// Of the document that is read.
  var limits: Limits { get }

  /// A tag opened an element.
  mutating func start(_ name: ElementName, _ attributes: Attributes, at spot: Spot)
  /// The innermost open element ended.
  mutating func end(at spot: Spot)
  /// A piece of the text in the innermost open element.
  mutating func text(_ piece: Span<UInt8>, at spot: Spot)
  /// The document has a type, which is refused; the name it gives the outermost element.
  mutating func doctype(root: String, at spot: Spot)
}

extension DocumentBuilder {
  /// Notes the first damage; what follows it is no more believed.
  mutating func refuse(_ found: XMLDamage) {
    if damage == nil { damage = found }
  }
}

/// Where a parser is when it tells of something: behind it, both from 1.
struct Spot {
  let line: Int32
  let column: Int32
}

extension XMLDamage {
  /// What a code of libxml2 says of this place.
  static func malformed(code: Int32, at spot: Spot) -> XMLDamage {
    .malformed(code: code, line: Int(spot.line), column: Int(spot.column))
  }
}
