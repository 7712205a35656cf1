import Testing

@testable import JSON

/// The value of a whole text, passed to the parser in pieces of this many bytes.
private func value(_ text: String, pieceLength: Int = .max) throws -> JSONValue {
  var rest = Array(text.utf8)[...]
  var reader = JSONReader(
    ByteReader(pieces: {
      defer { rest = rest.dropFirst(pieceLength) }
      return Array(rest.prefix(pieceLength))
    }))
  let value = try reader.value()
  try reader.expectEnd()
  return value
}

private func malformed(_ line: Int, _ column: Int) -> JSONError { .malformed(line: line, column: column) }

@Test("Values of every type are read, in pieces of any length", arguments: [1, 2, 3, 7, .max])
func jsonValues(pieceLength: Int) throws {
  let text = """
    \r\n\t{"a" : [1, -2.5e3, true, false, null, "", {}, []],
    "b\\n": "\\"\\\\\\/\\b\\f\\r\\t", "a": "é\\u00e9\\ud83d\\udCA1"}
    """
  let read = try value(text, pieceLength: pieceLength)
  let object = JSONValue.object([])
  #expect(
    read
      == .object([
        JSONValue.Member(
          name: "a",
          value: .array([
            .number(1), .number(-2500), .boolean(true), .boolean(false), .null, .string(""), object, .array([]),
          ])),
        JSONValue.Member(name: "b\n", value: .string("\"\\/\u{8}\u{C}\r\t")),
        JSONValue.Member(name: "a", value: .string("éé💡")),
      ]))
  #expect(read["a"]?.text == "éé💡")
}

@Test(
  "An unpaired surrogate becomes a replacement character",
  arguments: [
    (#""\ud83d""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"), (#""\udca1""#, "\u{FFFD}"),
    (#""\ud83d\ud83d\udca1""#, "\u{FFFD}💡"), (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
  ])
func surrogates(json: String, text: String) throws { #expect(try value(json) == .string(text)) }

@Test("Invalid UTF-8 becomes a replacement character")
func invalidUTF8() throws {
  let bytes: [UInt8] = [0x22, 0x61, 0xFF, 0x62, 0x22]
  var reader = JSONReader(ByteReader(bytes))
  #expect(try reader.value() == .string("a\u{FFFD}b"))
}

@Test(
  "Syntax errors have line and column",
  arguments: [
    ("", malformed(1, 1)), ("[1,\n 2", malformed(2, 3)), ("[1 2]", malformed(1, 4)), ("{\"a\" 1}", malformed(1, 6)),
    ("{a:1}", malformed(1, 2)), ("[1,]", malformed(1, 4)), ("{\"a\":1,}", malformed(1, 8)), ("\"a", malformed(1, 3)),
    ("\"a\nb\"", malformed(1, 3)), ("\"\\x\"", malformed(1, 2)), ("\"\\u12g4\"", malformed(1, 2)),
    ("tru", malformed(1, 4)), ("nullx", malformed(1, 6)), ("--1", malformed(1, 4)), ("[1]]", malformed(1, 4)),
    ("]", malformed(1, 1)), ("[}", malformed(1, 2)),
  ])
func jsonDamage(json: String, error: JSONError) { #expect(throws: error) { try value(json) } }

@Test("A hundred thousand nested values are rejected", arguments: ["[", "{\"a\":", "[{\"a\":"])
func jsonDepth(opening: String) {
  let text = String(repeating: opening, count: 100_000)
  #expect(throws: JSONError.tooDeep(limit: 64, line: 1)) { try value(text) }
  #expect(throws: JSONError.tooDeep(limit: 64, line: 1)) {
    var reader = JSONReader(ByteReader(Array(text.utf8)))
    try reader.skip()
  }
}

@Test("A value nested in sixty-four others is read")
func jsonDepthLimit() throws {
  let text = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
  #expect(try value(text).elements?.count == 1)
  #expect(throws: JSONError.self) { try value("[\(text)]") }
}

@Test("A value with very many parts, or with very much text, is rejected")
func jsonSize() {
  let parts = "[" + String(repeating: "1,", count: JSONReader.weightLimit / JSONReader.partWeight) + "1]"
  #expect(throws: JSONError.valueTooLarge(limit: JSONReader.weightLimit, line: 1)) { try value(parts) }
  let long = "\"" + String(repeating: "x", count: JSONReader.weightLimit + 1) + "\""
  #expect(throws: JSONError.valueTooLarge(limit: JSONReader.weightLimit, line: 1)) { try value(long) }
  let half = "\"" + String(repeating: "x", count: JSONReader.weightLimit / 2 + 1) + "\""
  #expect(throws: JSONError.valueTooLarge(limit: JSONReader.weightLimit, line: 1)) { try value("[\(half),\(half)]") }
}

@Test("Skipped values cost no memory and are still parsed to their end")
func jsonSkipping() throws {
  let text = "{\"a\":[\"]}\\\"\",{\"b\":[1,true]},\"\(String(repeating: "x", count: 1 << 20))\"],\"c\":7}"
  var reader = JSONReader(ByteReader(Array(text.utf8)))
  var found: JSONValue?
  try reader.forEachMember { name, reader in
    if name == "c" { found = try reader.value() } else { try reader.skip() }
  }
  #expect(found == .number(7))
}
