import FoundationEssentials
import Testing

/// The expected output of `import` for a recorded file.
struct ImportCase: CustomTestStringConvertible {
  let file: String
  var read = 0
  var new = 0
  /// Feeds of other sites.
  var feeds = 0
  var twice = 0
  var notYouTube = 0
  /// Watched videos, all of channels not followed.
  var watched = 0
  var withoutVideo = 0
  /// The lines of the rejected rows.
  var refused: [Int] = []
  var exit: Int32 = 0
  /// The message on standard error if nothing is imported.
  var complaint: String?

  var testDescription: String { file }

  /// Every recorded file.
  static let all = [
    ImportCase(file: "takeout-csv-de.csv", read: 13, new: 13),
    ImportCase(file: "takeout-csv-en.csv", read: 5, new: 5),
    ImportCase(file: "takeout-csv-es.csv", read: 172, new: 172),
    ImportCase(file: "takeout-csv-fr.csv", read: 2, new: 2),
    ImportCase(file: "takeout-csv-ja.csv", read: 1, new: 1),
    ImportCase(file: "takeout-csv-ko.csv", read: 1, new: 1),
    ImportCase(file: "takeout-csv-pl.csv", read: 1, new: 1),
    ImportCase(file: "takeout-csv-pt-badid.csv", read: 1, refused: [2], exit: 1),
    ImportCase(file: "takeout-csv-tr.csv", read: 2, new: 2),
    ImportCase(file: "invidious-opml-constructed.opml", read: 1, new: 1),
    ImportCase(file: "miniflux-opml-constructed.opml", read: 2, new: 1, twice: 1),
    ImportCase(file: "opml-duplicate-ytcc.opml", read: 2, new: 1, twice: 1),
    ImportCase(file: "opml-youtube-ytcc.opml", read: 58, new: 57, refused: [19], exit: 1),
    ImportCase(file: "newsboat-category.opml", read: 1, feeds: 1),
    ImportCase(file: "newsboat-example.opml", read: 7, feeds: 7),
    ImportCase(file: "newsboat-filtered.opml", read: 2, feeds: 2),
    ImportCase(file: "newsboat-body-element-missing.opml", exit: 65, complaint: "no subscriptions in it"),
    ImportCase(file: "newsboat-test-urls.txt", exit: 65, complaint: "none of its 3 rows is from YouTube"),
    ImportCase(file: "freetube-profiles-constructed.db", read: 2, new: 2),
    ImportCase(file: "libretube-freetube-export-constructed.json", read: 1, new: 1),
    ImportCase(file: "newpipe-subscriptions.json", read: 8, new: 5, twice: 3),
    ImportCase(file: "piped-web-subscriptions-constructed.json", read: 1, new: 1),
    ImportCase(file: "takeout-subscriptions-2020.json", read: 7, new: 4, twice: 3),
    ImportCase(file: "invidious-export.json", read: 3, refused: [1, 1, 1], exit: 1),
    ImportCase(file: "piped-account-fixture.json", read: 3, refused: [3, 5, 6], exit: 1),
    ImportCase(file: "libretube-backup-fixture.json", read: 3, refused: [3, 5, 9], exit: 1),
    ImportCase(file: "watch-history-fixture-exportube.json", read: 4, twice: 1, watched: 2, withoutVideo: 1),
    ImportCase(file: "watch-history-fixture-shorts.html", read: 2, watched: 1, refused: [12], exit: 1),
    ImportCase(file: "takeout-zip-1.zip", read: 5, new: 5),
    ImportCase(file: "opml-broken-ytcc.opml", exit: 65, complaint: "damaged XML at line 3"),
  ]
}

@Suite("Importing recorded files", .enabled(if: Files.samples != nil))
struct ImportTableTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test("A file is imported with the right counts, and bad rows are reported by line", arguments: ImportCase.all)
  func counts(expected: ImportCase) throws {
    let path = "\(try #require(Files.samples))/imports/\(expected.file)"
    let outcome = try sandbox.run("import", "--format", "json", path)
    #expect(outcome.status == expected.exit, "\(outcome.errors)")
    if let complaint = expected.complaint {
      #expect(outcome.errors.contains(complaint), "\(outcome.errors)")
      #expect(outcome.output.isEmpty && sandbox.log.isEmpty)
      return
    }
    let report = try JSONDecoder().decode(Imported.self, from: Data(outcome.output))
    #expect(report.read == expected.read && report.new == expected.new && report.alreadyFollowed == 0)
    #expect(report.newFeeds == expected.feeds && report.feedsAlreadyFollowed == 0)
    #expect(report.duplicates == expected.twice && report.notYouTube == expected.notYouTube)
    #expect(report.refused.count == expected.refused.count)
    for (refusal, line) in zip(report.refused, expected.refused) { #expect(refusal.hasPrefix("\(path):\(line): ")) }
    #expect(report.notFollowed == expected.watched && report.watched == 0)
    #expect(report.withoutVideo == expected.withoutVideo)
    #expect(report.read == report.sum)
    #expect(try sandbox.run("channels", "--format", "ids").lines.count == expected.new + expected.feeds)
  }

  @Test("A file imported again follows no new channel and writes nothing", arguments: ImportCase.all)
  func again(expected: ImportCase) throws {
    let path = "\(try #require(Files.samples))/imports/\(expected.file)"
    let first = try sandbox.run("import", path)
    let log = sandbox.log
    let second = try sandbox.run("import", path)
    #expect(second.status == first.status && second.errors == first.errors)
    #expect(sandbox.log == log)
    #expect(expected.new == 0 || second.text.contains("0 new, \(expected.new) already followed"))
  }

  @Test("All of them at once: an unsupported one does not stop the others")
  func together() throws {
    let folder = try #require(Files.samples) + "/imports/"
    let outcome = try sandbox.program.run(["import"] + ImportCase.all.map { folder + $0.file })
    #expect(outcome.status == 65)
    let followed = try sandbox.run("channels", "--format", "ids").lines
    // Some channels are in several of the files.
    #expect(followed.count == Set(followed).count)
    #expect(followed.count > 172 + 57 && followed.count <= ImportCase.all.reduce(0) { $0 + $1.new + $1.feeds })
  }
}
