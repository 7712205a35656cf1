import Testing

@testable import Importers

private func rows(_ text: String) -> [CSVReader.Row] {
  var reader = CSVReader(Array(text.utf8))
  var rows: [CSVReader.Row] = []
  while let row = reader.next() { rows.append(row) }
  return rows
}

@Test("Lines end with LF, CRLF or CR, and the last one may lack its end", arguments: ["\n", "\r\n", "\r"])
func lineEnds(end: String) {
  #expect(rows("a,b\(end)c,d") == [.fields(["a", "b"], line: 1), .fields(["c", "d"], line: 2)])
  #expect(rows("a,b\(end)c,d\(end)") == rows("a,b\(end)c,d"))
}

@Test("Empty lines are not rows, but count as lines")
func emptyLines() {
  #expect(rows("\n\r\na\n\n\nb\n\n") == [.fields(["a"], line: 3), .fields(["b"], line: 6)])
  #expect(rows("").isEmpty)
}

@Test("A quoted field holds separators, doubled quotes and line ends")
func quotedFields() {
  let read = rows("a,\"b, \"\"c\"\"\nd\",e\n\"\",f\n")
  #expect(read == [.fields(["a", "b, \"c\"\nd", "e"], line: 1), .fields(["", "f"], line: 3)])
}

@Test("A quote inside an unquoted field is literal")
func innerQuotes() { #expect(rows("a,The \"best\",c") == [.fields(["a", "The \"best\"", "c"], line: 1)]) }

@Test("A row with unmatched quotes costs no other row")
func unmatchedQuotes() {
  let read = rows("a,\"open\nb,c\nd,\"wrong\"x\ne,\"f\"\n")
  #expect(
    read == [
      .unmatchedQuote(line: 1), .fields(["b", "c"], line: 2), .unmatchedQuote(line: 3), .fields(["e", "f"], line: 4),
    ])
}

@Test("A spreadsheet's semicolons and tabs are separators too", arguments: [";", "\t"])
func otherSeparators(separator: String) {
  #expect(rows("a\(separator)b\(separator)c,d") == [.fields(["a", "b", "c,d"], line: 1)])
}

@Test("A row of very many fields keeps the first 64")
func manyFields() {
  let read = rows(String(repeating: "x,", count: 100_000))
  #expect(read == [.fields(Array(repeating: "x", count: 64), line: 1)])
}
