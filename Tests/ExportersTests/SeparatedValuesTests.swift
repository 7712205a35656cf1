import TestSupport
import Testing

@testable import Core
@testable import Exporters

private func line(_ values: [String], _ separator: SeparatedValues) -> String {
  var bytes: [UInt8] = []
  separator.append(values, to: &bytes)
  return String(decoding: bytes, as: UTF8.self)
}

@Test(
  "A value that a spreadsheet would execute gets an apostrophe",
  arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=HYPERLINK(A1)|' /C calc'!A0"])
func formulas(value: String) {
  #expect(line([value], .tabs) == "'" + DisplayText(value).text + "\n")
  #expect(line([value], .commas).drop { $0 == "\"" }.first == "'")
}

@Test("Only control characters are taken out: joiners, variation selectors and marks of direction belong to the text")
func words() {
  let value = "می\u{200c}خواهم 👩\u{200d}🔧 🕰\u{fe0f} soft\u{ad}hyphen \u{202e}x \u{1f3f4}\u{e0067}\u{e007f}"
  #expect(line([value], .tabs) == value + "\n")
  #expect(line(["\u{200b}=1"], .tabs) == "'\u{200b}=1\n")
  #expect(line(["a\u{1b}[2J\u{9b}b\u{2028}c"], .tabs) == "a[2Jb c\n")
}

@Test("An ID that begins with - stays as it is for scripts, and is no formula for spreadsheets")
func dashID() throws {
  func line(_ separator: SeparatedValues) throws -> String {
    var bytes: [UInt8] = []
    separator.append(try sampleRow(video: "-bcdefghijA", title: "-1"), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
  #expect(try line(.tabs).hasPrefix("-bcdefghijA\t") && line(.tabs).contains("\t'-1\t"))
  #expect(try line(.commas).hasPrefix("'-bcdefghijA,") && line(.commas).contains(",'-1,"))
}

@Test("A value that is not a formula stays as it is")
func ordinaryValues() { #expect(line(["", "1-1", "a=b", "'=x"], .tabs) == "\t1-1\ta=b\t'=x\n") }

@Test("CSV quotes values with a comma or a quote; no value contains a newline")
func quoting() {
  #expect(line(["a,b", "say \"hi\"", "one\r\ntwo", "c"], .commas) == "\"a,b\",\"say \"\"hi\"\"\",one two,c\n")
}

@Test("A TSV row has as many tabs as there are gaps between its columns")
func tabs() { #expect(line(["a\tb\n", "\u{1b}[2J,\"", "c"], .tabs) == "a b \t[2J,\"\tc\n") }

@Test("Every row has the fields of the contract")
func contract() throws {
  let row = try sampleRow(title: "A, B", tags: ["one", "two"])
  var bytes: [UInt8] = []
  SeparatedValues.tabs.append([row], to: &bytes)
  let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  let (names, values) = (
    lines[0].split(separator: "\t"), lines[1].split(separator: "\t", omittingEmptySubsequences: false)
  )
  #expect(names.count == values.count)
  let json = String(decoding: row.json.object, as: UTF8.self)
  var rest = json[...]
  for name in names {
    let range = try #require(rest.firstRange(of: "\"\(name)\":"), "\(name) comes in the order of the JSON")
    rest = rest[range.upperBound...]
  }
  #expect(json.count { $0 == ":" } >= names.count)
  #expect(values.suffix(4) == ["253", "one, two", "https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg", ""])
}
