import Core
import FeedParser
import Gzip
import JSON
import SQLDrivers

@testable import Importers

/// libFuzzer entry point. The first byte of an input selects a parser, the rest is its file.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  guard let selector = input.first else { return 0 }
  let file = Array(input.dropFirst())
  switch selector {
  case UInt8(ascii: "j"): expectSameJSON(file)
  case UInt8(ascii: "g"): expectBoundedGzip(file)
  case UInt8(ascii: "c"): expectWholeRows(file)
  // An imported file of any format, which is detected: archives, CSV, JSON, HTML, OPML, text.
  case UInt8(ascii: "i"): expectBoundedImport(file)
  default: return -1
  }
  return 0
}

/// Checks that a document gives the same value whole and in pieces, and that it can be skipped if it can be read.
private func expectSameJSON(_ document: [UInt8]) {
  let value = JSONValue(document)
  expect(JSONValue(document) == value, "parsing the same document twice gives different values")
  var rest = document[...]
  var reader = JSONReader(
    ByteReader {
      defer { rest = rest.dropFirst(3) }
      return Array(rest.prefix(3))
    })
  let inPieces = try? reader.value()
  let isWhole = inPieces != nil && (try? reader.expectEnd()) != nil
  expect((isWhole ? inPieces : nil) == value, "pieces of a document give another value")
  guard value != nil else { return }
  var skipping = JSONReader(ByteReader(document))
  expect((try? skipping.skip()) != nil && (try? skipping.expectEnd()) != nil, "a valid document cannot be skipped")
}

/// Checks that no more is unpacked than the limit, and that the content survives a round trip.
private func expectBoundedGzip(_ packed: [UInt8]) {
  let limit = 1 << 18
  guard let body = Gzip.unpack(packed, limit: limit) else { return }
  expect(body.count <= limit, "more bytes than the limit")
  expect(Gzip.unpack(Gzip.pack(body), limit: limit) == body, "a body does not survive a round trip")
  if !body.isEmpty { expect(Gzip.unpack(packed, limit: body.count - 1) == nil, "a lower limit is not observed") }
}

/// Checks that the rows of a table are on lines of the file, in order.
private func expectWholeRows(_ table: [UInt8]) {
  var reader = CSVReader(table)
  let lines = table.count { $0 == 10 || $0 == 13 } + 1
  var last = 0
  while let row = reader.next() {
    guard case .fields(_, let line) = row else { continue }
    expect(line > last && line <= lines, "a row on line \(line) after one on \(last) of \(lines)")
    last = line
  }
}

/// Checks that a file gives the same twice, within the limits.
private func expectBoundedImport(_ file: [UInt8]) {
  var limits = ImportLimits.standard
  (limits.textBytes, limits.streamedBytes, limits.rows, limits.watches) = (1 << 16, 1 << 20, 100, 200)
  (limits.descriptionBytes, limits.archiveEntries) = (1 << 12, 20)
  func read() -> Result<ImportedFile, any Error> {
    Result {
      try ImportedFile.read(
        file, limits: limits, database: databaseRows, opml: { try Outline.read(opml: $0) })
    }
  }
  switch (read(), read()) {
  case (.success(let one), .success(let other)):
    expect(one == other, "reading the same file twice gives different contents")
    expect(one.subscriptions.count + one.unresolved.count <= limits.rows, "more subscriptions than the limit")
    expect(one.refused.count <= limits.rows && one.notYouTube.count <= limits.rows, "more rows than the limit")
    expect(one.watches.count <= limits.watches, "more videos than the limit")
    // A playlist may have no videos.
    expect(one.read > 0 || one.format == .takeoutPlaylist, "a file without rows was accepted")
  case (.failure, .failure): break
  default: fatalError("reading the same file twice gives different results")
  }
}

/// The rows of queries on another program's database.
private func databaseRows(_ bytes: [UInt8], _ queries: [TableQuery]) throws(ImportError) -> [[[String?]]?] {
  do {
    let database = try ForeignDatabase(bytes)
    return try queries.map { try database.rows($0.sql, of: $0.tables, limit: $0.limit) }
  } catch { throw .damagedDatabase }
}

/// Aborts if `holds` is false, so that libFuzzer records a crash.
private func expect(_ holds: Bool, _ broken: @autoclosure () -> String) {
  if !holds { fatalError(broken()) }
}
