/// An HTML tag: `<a href="https://…">`, `</div>`.
struct HTMLTag {
  /// The name in lower case; a closing tag's includes the slash: `div`, `/div`.
  private(set) var name = ""
  private var bytes: ArraySlice<UInt8>

  /// Parses the text between `<` and `>`.
  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)[...]
    name = String(decoding: self.bytes.prefix { !HTMLTag.isBlank($0) }, as: UTF8.self).lowercased()
    self.bytes = self.bytes.dropFirst(name.utf8.count)
  }

  /// The value of an attribute, given by its lower-case name, with `&amp;` decoded; nil if absent.
  func value(of attribute: String) -> String? {
    var rest = bytes
    while !rest.isEmpty {
      rest = rest.drop(while: HTMLTag.isBlank)
      let name = rest.prefix { $0 != UInt8(ascii: "=") && !HTMLTag.isBlank($0) }
      rest = rest.dropFirst(max(name.count, 1)).drop(while: HTMLTag.isBlank)
      guard rest.first == UInt8(ascii: "=") || name.isEmpty else { continue }
      rest = rest.dropFirst().drop(while: HTMLTag.isBlank)
      let value = HTMLTag.takeValue(&rest)
      if String(decoding: name, as: UTF8.self).lowercased() == attribute {
        let text = String(decoding: value, as: UTF8.self)
        return value.contains(UInt8(ascii: "&")) ? text.replacing("&amp;", with: "&") : text
      }
    }
    return nil
  }

  private static func takeValue(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let value = rest.prefix { !isBlank($0) }
      rest = rest[value.endIndex...]
      return value
    }
    let value = rest.dropFirst().prefix { $0 != quote }
    rest = rest[value.endIndex...].dropFirst()
    return value
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
