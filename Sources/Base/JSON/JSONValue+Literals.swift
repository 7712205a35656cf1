import Core

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member(name: $0.0, value: $0.1) })
  }

  /// The value as a document; numbers are whole.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .boolean(let value): bytes += "\(value)".utf8
    // Whole numbers without a point; JSON has no infinite ones.
    case .number(let value):
      bytes += (Int(exactly: value).map { "\($0)" } ?? (value.isFinite ? "\(value)" : "null")).utf8
    case .string(let text): JSONText.quote(text, into: &bytes)
    case .array(let elements): append(elements, "[", "]", to: &bytes) { $0.append(to: &$1) }
    case .object(let members):
      append(members, "{", "}", to: &bytes) { member, bytes in
        JSONText.quote(member.name, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes)
      }
    }
  }

  private func append<Part>(
    _ parts: [Part], _ start: String, _ end: String, to bytes: inout [UInt8], _ write: (Part, inout [UInt8]) -> Void
  ) {
    bytes += start.utf8
    for (position, part) in parts.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      write(part, &bytes)
    }
    bytes += end.utf8
  }
}
