import Core
import FeedParser
import Testing

@testable import Importers

/// The expected result for a recorded file.
struct Expected: CustomStringConvertible {
  var name: String
  var format: ImportFormat
  var read: Int
  var subscriptions = 0
  var unresolved = 0
  var watches = 0
  var duplicates = 0
  var notYouTube = 0
  var withoutVideo = 0
  var refused: [Int] = []

  var description: String { name }
}

private let samples = [
  Expected(name: "takeout-csv-de.csv", format: .takeoutCSV, read: 13, subscriptions: 13),
  Expected(name: "takeout-csv-en.csv", format: .takeoutCSV, read: 5, subscriptions: 5),
  Expected(name: "takeout-csv-es.csv", format: .takeoutCSV, read: 172, subscriptions: 172),
  Expected(name: "takeout-csv-fr.csv", format: .takeoutCSV, read: 2, subscriptions: 2),
  Expected(name: "takeout-csv-ja.csv", format: .takeoutCSV, read: 1, subscriptions: 1),
  Expected(name: "takeout-csv-ko.csv", format: .takeoutCSV, read: 1, subscriptions: 1),
  Expected(name: "takeout-csv-pl.csv", format: .takeoutCSV, read: 1, subscriptions: 1),
  Expected(name: "takeout-csv-pt-badid.csv", format: .takeoutCSV, read: 1, refused: [2]),
  Expected(name: "takeout-csv-tr.csv", format: .takeoutCSV, read: 2, subscriptions: 2),
  Expected(name: "opml-youtube-ytcc.opml", format: .opml, read: 58, subscriptions: 57, refused: [19]),
  Expected(name: "opml-duplicate-ytcc.opml", format: .opml, read: 2, subscriptions: 1, duplicates: 1),
  Expected(name: "invidious-opml-constructed.opml", format: .opml, read: 1, subscriptions: 1),
  Expected(name: "miniflux-opml-constructed.opml", format: .opml, read: 2, subscriptions: 1, duplicates: 1),
  Expected(name: "freetube-profiles-constructed.db", format: .freeTube, read: 2, subscriptions: 2),
  Expected(name: "libretube-freetube-export-constructed.json", format: .freeTube, read: 1, subscriptions: 1),
  Expected(name: "newpipe-subscriptions.json", format: .newPipe, read: 8, subscriptions: 5, duplicates: 3),
  Expected(name: "piped-web-subscriptions-constructed.json", format: .newPipe, read: 1, subscriptions: 1),
  Expected(name: "takeout-subscriptions-2020.json", format: .takeoutJSON, read: 7, subscriptions: 4, duplicates: 3),
  Expected(name: "invidious-export.json", format: .invidious, read: 3, refused: [1, 1, 1]),
  Expected(name: "piped-account-fixture.json", format: .piped, read: 3, refused: [3, 5, 6]),
  Expected(name: "libretube-backup-fixture.json", format: .piped, read: 3, refused: [3, 5, 9]),
  Expected(
    name: "watch-history-fixture-exportube.json", format: .watchHistoryJSON, read: 4, watches: 2, duplicates: 1,
    withoutVideo: 1),
  Expected(
    name: "watch-history-fixture-shorts.html", format: .watchHistoryHTML, read: 2, watches: 1, refused: [12]),
  Expected(name: "takeout-zip-1.zip", format: .takeoutZip, read: 5, subscriptions: 5),
]

/// The names of the recorded files in the table.
let recordedNames = samples.map(\.name)

@Test("Every recorded file gives its contents", .enabled(if: Files.samples != nil), arguments: samples)
func recordedFiles(expected: Expected) throws {
  let file = try ImportedFile(Files.sample(expected.name))
  #expect(file.format == expected.format)
  #expect(file.read == expected.read)
  #expect(file.subscriptions.count == expected.subscriptions)
  #expect(file.unresolved.count == expected.unresolved)
  #expect(file.watches.count == expected.watches)
  #expect(file.duplicates == expected.duplicates)
  #expect(file.notYouTube.count == expected.notYouTube)
  #expect(file.withoutVideo == expected.withoutVideo)
  #expect(file.refusedLines == expected.refused)
  #expect(file.sumOfRows == file.read)
}

@Test(
  "A recorded file without anything from YouTube is rejected with its rows counted",
  .enabled(if: Files.samples != nil),
  arguments: [
    ("newsboat-test-urls.txt", .newsboatURLs, 3), ("newsboat-example.opml", .opml, 7),
    ("newsboat-category.opml", .opml, 1), ("newsboat-filtered.opml", .opml, 2),
    ("newsboat-body-element-missing.opml", .opml, 0),
  ] as [(String, ImportFormat, Int)])
func recordedForeignFiles(name: String, format: ImportFormat, rows: Int) throws {
  let bytes = try Files.sample(name)
  #expect(throws: ImportError.nothingFromYouTube(format, rows: rows)) { try ImportedFile(bytes) }
}

@Test("Recorded damage to OPML is reported with line and column", .enabled(if: Files.samples != nil))
func recordedDamage() throws {
  let bytes = try Files.sample("opml-broken-ytcc.opml")
  let error = #expect(throws: ParseError.self) { try ImportedFile(bytes) }
  guard case .malformed(_, line: 3, _) = error else {
    Issue.record("\(String(describing: error))")
    return
  }
}
