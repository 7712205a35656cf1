import Core
import FeedParser
import Glibc

/// Converts documents in any encoding of the web to UTF-8.
enum WebEncoding {
  /// The bytes in UTF-8, as far as they are valid in their encoding; throws `encoding` if it is unknown.
  static func decode(_ bytes: [UInt8], contentType: String?) throws(ParseError) -> [UInt8] {
    let mark = ByteOrderMark(bytes)
    if let mark { return mark.encoding == .utf8 ? bytes : try mark.encoding.decode(bytes[mark.length...]) }
    let sent = contentType.flatMap(charset)
    let declared = declaration(in: bytes)
    guard let name = sent ?? declared, !isUTF8(name) else { return bytes }
    // Servers add a charset that the author knew nothing of: what is UTF-8, and says so or nothing, is not Latin-1.
    if sent != nil, declared.map(isUTF8) ?? true, String(utf8: bytes.span) != nil { return bytes }
    if let encoding = SingleByteEncoding(name: name) { return encoding.decode(bytes[...]) }
    switch TextEncoding(name: name) {
    // What browsers read in its place.
    case .latin1: return SingleByteEncoding.windows1252.decode(bytes[...])
    // Text readable byte by byte up to its declaration is not UTF-16.
    case .ascii, .utf8, .utf16LittleEndian, .utf16BigEndian: return bytes
    default: break
    }
    guard let text = Converter.decode(bytes, from: name) else { throw .encoding(name) }
    return text
  }

  /// The `charset` of a content type, in lower case: `text/xml; charset="windows-1251"`; nil if absent.
  private static func charset(in contentType: String) -> String? {
    for part in contentType.lowercased().split(separator: ";").dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, sides[0].filter({ $0 != " " }) == "charset" else { continue }
      let name = sides[1].filter { $0 != " " && $0 != "\"" && $0 != "'" }
      return name.isEmpty || name.utf8.count > 40 ? nil : name.replacing("_", with: "-")
    }
    return nil
  }

  /// The encoding in the XML declaration, in lower case; nil if absent.
  private static func declaration(in bytes: [UInt8]) -> String? {
    let head = Array(bytes.prefix(1024))
    guard let start = head.span.firstIndex(of: "<?xml", from: 0) else { return nil }
    return DeclaredEncoding(in: head, at: start)?.name.lowercased().replacing("_", with: "-")
  }

  private static func isUTF8(_ name: String) -> Bool { name == "utf-8" || name == "utf8" || name == "unicode" }
}

/// Wraps `iconv(3)` for the encodings of Chinese, Japanese and Korean; its converters are files of the C library's package.
private enum Converter {
  /// The name for iconv of each encoding. Not all that it knows: UTF-7 hides markup.
  private static let names = [
    "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932", "windows-31j": "CP932", "cp932": "CP932",
    "ms-kanji": "CP932",
    "euc-jp": "EUC-JP", "x-euc-jp": "EUC-JP", "iso-2022-jp": "ISO-2022-JP",
    "gb2312": "GB18030", "gbk": "GB18030", "x-gbk": "GB18030", "gb18030": "GB18030", "cp936": "GB18030",
    "gb-2312": "GB18030", "big5": "BIG5-HKSCS", "big5-hkscs": "BIG5-HKSCS", "cp950": "BIG5-HKSCS",
    "euc-kr": "CP949", "ks-c-5601-1987": "CP949", "cp949": "CP949", "windows-949": "CP949",
  ]

  /// The bytes in UTF-8, with U+FFFD for invalid ones; nil if the encoding is unknown or has no converter here.
  static func decode(_ bytes: [UInt8], from name: String) -> [UInt8]? {
    guard let name = names[name], let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else {
      return nil
    }
    defer { iconv_close(converter) }
    var source = bytes.map { CChar(bitPattern: $0) }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 3 / 2)
    source.withUnsafeMutableBufferPointer { source in
      var (from, left): (UnsafeMutablePointer<CChar>?, Int) = (source.baseAddress, source.count)
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 16) { buffer in
        while left > 0 {
          var (to, room): (UnsafeMutablePointer<CChar>?, Int) = (buffer.baseAddress, buffer.count)
          let isInvalid = iconv(converter, &from, &left, &to, &room) == -1 && errno != E2BIG
          text.append(
            contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<(buffer.count - room)]))
          if isInvalid {
            // Invalid, or incomplete at the end.
            text += [0xEF, 0xBF, 0xBD]
            from = from?.advanced(by: 1)
            left -= 1
          }
        }
      }
    }
    return text
  }
}
