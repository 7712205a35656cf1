import Core
import JSON
import Testing

@testable import Importers

@Test("Takeout's page is read by its structure, in any language")
func watchHistoryPage() throws {
  let file = try ImportedFile(Files.fixture("watch-history.html"))
  #expect(file.format == .watchHistoryHTML)
  #expect(file.watches.map(\.video.description) == ["AAAAAAAAAAA", "-_bbbbbbbbA"])
  #expect(file.watches.map(\.when) == [Timestamp(rfc3339: "2024-02-03T03:05:06Z"), nil])
  #expect(file.advertisements == 2 && file.withoutVideo == 2 && file.duplicates == 1)
  #expect(file.refused == [RejectedRow(location: RowLocation(line: 7), reason: .reference(.badVideoID("short")))])
  #expect(file.read == 8 && file.sumOfRows == 8)
}

@Test("Pieces of any length give the same rows", arguments: [1, 5, 64, 4096])
func pagesInPieces(pieceLength: Int) throws {
  let page = try Files.fixture("watch-history.html")
  let whole = try ImportedFile(page)
  var rest = page[...]
  let bytes = ByteReader(pieces: {
    defer { rest = rest.dropFirst(pieceLength) }
    return Array(rest.prefix(pieceLength))
  })
  let pieced = try WatchHistoryHTML.read(bytes, limits: .standard, entry: nil).finish()
  #expect(pieced == whole)
}

@Test("Another page is rejected, whatever videos it links to")
func otherPage() {
  let page = "<!DOCTYPE html><html><body><a href=\"https://www.youtube.com/watch?v=AAAAAAAAAAA\">x</a></body></html>"
  #expect(throws: ImportError.notUnderstood(looksLike: .html)) { try ImportedFile(page) }
}

@Test("A history with only searches has nothing to import")
func searches() {
  let cell = """
    <html><div class="outer-cell"><div class="content-cell">Searched for \
    <a href="https://www.youtube.com/results?search_query=lamps">lamps</a><br>Jan 5, 2021</div></div>
    """
  #expect(throws: ImportError.nothingFromYouTube(.watchHistoryHTML, rows: 1)) { try ImportedFile(cell) }
}

@Test("CSS and tags of any length are skipped")
func longStyle() throws {
  let style = "<style>\(String(repeating: ".mdl-cell{margin:8px}\n", count: 20_000))</style>"
  let tag = "<p class=\"\(String(repeating: "x", count: 100_000))\">"
  let row = "<div class=outer-cell><div class=content-cell><a href=https://youtu.be/AAAAAAAAAAA>x</a>"
  #expect(try ImportedFile("<html>\(style)\(tag)\(row)").watches.count == 1)
}

@Test(
  "Attributes are read with any quotes or without",
  arguments: ["a href=\"x&amp;y\"", "a class=b href = 'x&y'", "A download HREF=x&y", "a title=\"href=\" href=\"x&y\""])
func attributes(tag: String) {
  #expect(HTMLTag(tag.utf8).value(of: "href") == "x&y")
  #expect(HTMLTag(tag.utf8).name == "a")
}

@Test(
  "Broken tags end", arguments: ["", " ", "=", "a =", "a = =", "a href", "a href=", "a href=\"x", "/", "a ==\"\"=' "])
func brokenTags(tag: String) { #expect(HTMLTag(tag.utf8).value(of: "class") == nil) }

@Test(
  "An unambiguous time is read",
  arguments: [
    ("Jan 5, 2021, 10:15:00 AM UTC", "2021-01-05T10:15:00Z"),
    ("Jan 5, 2021, 12:15:00\u{202F}AM GMT+01:00", "2021-01-04T23:15:00Z"),
    ("5 Sept 2021, 22:15:09 GMT-3", "2021-09-06T01:15:09Z"),
    ("December 31, 2021, 12:00:00 PM UTC", "2021-12-31T12:00:00Z"),
    ("5 Jan 2021, 10:15:00 TRT", "2021-01-05T07:15:00Z"), ("5 Jan 2021, 10:15:00 pm AEDT", "2021-01-05T11:15:00Z"),
    ("Jan 5, 2021, 10:15:00 AM ACST", "2021-01-05T00:45:00Z"),
    ("2021-01-05 10:15:00 UTC+05:30", "2021-01-05T04:45:00Z"), ("2021/1/5 1:05:00 GMT", "2021-01-05T01:05:00Z"),
  ])
func certainTimes(text: String, time: String) {
  #expect(Timestamp(takeoutText: text)?.rfc3339 == time)
}

@Test(
  "An ambiguous time is ignored",
  arguments: [
    "", "UTC", "Jan 5, 2021, 10:15:00 AM CST", "5 Jan 2021, 10:15:00 IST", "05.01.2021, 10:15:00 MEZ",
    "1/5/2021, 10:15:00 AM UTC",
    "5 janv. 2021, 10:15:00 UTC", "Jan 32, 2021, 10:15:00 AM UTC", "Jan 5, 2021, 13:15:00 AM UTC",
    "Jan 5, 2021, 10:15 UTC",
    "Feb 29, 2021, 10:15:00 UTC", "Jan 5, 21, 10:15:00 UTC", "Jan 5, 2021, 10:15:00 UTC+99",
    "Jan 5, 2021, 10:15:00 UTC+1:2:3",
    "Jan 5, 2021, 10:15:00 GMT+", "Ja 5, 2021, 10:15:00 UTC", "2021-01 10:15:00 UTC", "A title 10:15:00 UTC",
  ])
func uncertainTimes(text: String) { #expect(Timestamp(takeoutText: text) == nil) }
