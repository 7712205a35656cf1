import Core
import Testing

@testable import Importers

private let lamp = "UCAAAAAAAAAAAAAAAAAAAAAA"
private let csv = "Id,Url,Title\n\(lamp),http://www.youtube.com/channel/\(lamp),Lamps\n"

@Test("A complete archive gives its subscriptions, playlist and history, found by content")
func wholeArchive() throws {
  let file = try ImportedFile(Files.fixture("takeout.zip"))
  #expect(file.format == .takeoutZip)
  #expect(file.subscriptions.count == 4)
  #expect(file.collections.map(\.title) == ["Rainy days"])
  #expect(file.watches.count == 2)
  let folder = "Takeout/YouTube y YouTube Music/"
  #expect(
    file.refused.map(\.location) == [
      RowLocation(entry: folder + "listas/Rainy days-videos.csv", line: 5),
      RowLocation(entry: folder + "historial/historial-de-reproducciones.html", line: 7),
      RowLocation(entry: folder + "suscripciones/suscripciones.csv", line: 8),
      RowLocation(entry: folder + "suscripciones/suscripciones.csv", line: 9),
    ])
  #expect(file.read == 19 && file.sumOfRows == 19)
}

@Test("The owner's own channel is not a subscription")
func ownChannel() throws {
  let owner = try #require(SubscriptionID("UCEEEEEEEEEEEEEEEEEEEEEw"))
  #expect(try ImportedFile(Files.fixture("takeout.zip")).subscriptions.contains { $0.id == owner } == false)
}

@Test("An archive of more than 4 GB is read by its 64-bit directory, and a comment at the end is ignored")
func wideArchive() throws {
  var zip = StoredZip()
  zip.isWide = true
  zip.add("a/", [])
  zip.add("a/b.csv", csv.utf8)
  #expect(try ImportedFile(zip.bytes(comment: "PK, they said")).subscriptions.map(\.title) == ["Lamps"])
}

@Test(
  "Names that escape the folder are rejected",
  arguments: ["../b.csv", "a/../../b.csv", "/etc/b.csv", "C:/b.csv", "a\\..\\b.csv", "a/.."])
func unsafeNames(name: String) {
  var zip = StoredZip()
  zip.add(name, csv.utf8)
  // libarchive reads the backslashes of a file from DOS as slashes.
  let name = name.contains("\\") ? "a/../b.csv" : name
  #expect(throws: ImportError.archive(.unsafeName(name))) { try ImportedFile(zip.bytes()) }
}

@Test("An archive as .tgz gives its subscriptions, and its names are checked")
func tarArchive() throws {
  let name = "Takeout/YouTube y YouTube Music/suscripciones/ñandú.csv"
  #expect(try ImportedFile(StoredTar.gzipped(name, csv.utf8)).subscriptions.map(\.title) == ["Lamps"])
  let unsafe = ImportError.archive(.unsafeName("../b.csv"))
  #expect(throws: unsafe) { try ImportedFile(StoredTar.gzipped("../b.csv", csv.utf8)) }
  var limits = ImportLimits.standard
  limits.streamedBytes = csv.utf8.count - 1
  #expect(throws: ImportError.tooLarge(limit: limits.streamedBytes)) {
    try ImportedFile(StoredTar.gzipped("b.csv", csv.utf8), limits: limits)
  }
}

@Test("A .tgz that ends early is damaged")
func cutTar() {
  let bytes = StoredTar.gzipped("b.csv", Array(repeating: UInt8(ascii: "x"), count: 9000)).dropLast(4000)
  #expect(throws: ImportError.archive(.damaged)) { try ImportedFile(bytes) }
}

@Test("Dots in a name are harmless")
func harmlessNames() throws {
  var zip = StoredZip()
  zip.add("..a/b...csv", csv.utf8)
  #expect(try ImportedFile(zip.bytes()).read == 1)
}

@Test("An entry that expands to very many times its size is rejected")
func bomb() throws {
  let bytes = try Files.fixture("bomb.zip")
  #expect(throws: ImportError.archive(.ratio("Takeout/subscriptions.csv", limit: 200))) { try ImportedFile(bytes) }
}

@Test("The total unpacked size has a limit")
func unpackedLimit() {
  var limits = ImportLimits.standard
  limits.streamedBytes = 2 * csv.utf8.count - 1
  var zip = StoredZip()
  zip.add("a.csv", csv.utf8)
  #expect(throws: Never.self) { try ImportedFile(zip.bytes(), limits: limits) }
  zip.add("b.csv", csv.utf8)
  #expect(throws: ImportError.tooLarge(limit: limits.streamedBytes)) {
    try ImportedFile(zip.bytes(), limits: limits)
  }
}

@Test("An entry that claims 4 GB and has none is damaged")
func claimedSize() {
  var zip = StoredZip()
  zip.claimedSize = 0xFFFF_FFFE
  zip.add("a.csv", csv.utf8)
  #expect(throws: ImportError.archive(.damagedEntry("a.csv"))) { try ImportedFile(zip.bytes()) }
}

@Test("An entry whose checksum is wrong is damaged")
func wrongChecksum() throws {
  var zip = StoredZip()
  zip.add("a.csv", csv.utf8)
  var bytes = zip.bytes()
  let index = try #require(bytes.firstIndex(of: UInt8(ascii: "L")))
  bytes[index] ^= 0x20
  #expect(throws: ImportError.archive(.damagedEntry("a.csv"))) { try ImportedFile(bytes) }
}

@Test("An entry packed by another method is skipped")
func otherMethod() {
  var zip = StoredZip()
  zip.method = 6
  zip.add("a.csv", csv.utf8)
  #expect(throws: ImportError.notUnderstood(looksLike: .zip)) { try ImportedFile(zip.bytes()) }
}

@Test("NewPipe's backup is an archive of its database")
func databaseArchive() throws {
  var zip = StoredZip()
  zip.add("newpipe.db", try Files.fixture("newpipe.db"))
  zip.add("preferences.json", "{}".utf8)
  let file = try ImportedFile(zip.bytes())
  #expect(file.format == .newPipeDatabase && file.subscriptions.count == 1 && file.watches.count == 2)
  #expect(file.refused.map(\.location) == [RowLocation(entry: "newpipe.db", line: 4)])
  #expect(file.read == file.sumOfRows)
}

@Test("A damaged database in an archive is reported by its name")
func damagedDatabaseArchive() {
  var zip = StoredZip()
  zip.add("newpipe.db", "SQLite format 3\0".utf8)
  #expect(throws: ImportError.inEntry("newpipe.db", .damagedDatabase)) { try ImportedFile(zip.bytes()) }
}

@Test("Too many entries are rejected")
func tooManyEntries() {
  var limits = ImportLimits.standard
  limits.archiveEntries = 1
  var zip = StoredZip()
  zip.add("a.csv", csv.utf8)
  zip.add("b.csv", csv.utf8)
  #expect(throws: ImportError.archive(.tooManyEntries(limit: 1))) { try ImportedFile(zip.bytes(), limits: limits) }
}

@Test("Damage in a file of the archive is reported with its name")
func damagedFileInside() {
  var zip = StoredZip()
  zip.add("a/history.json", "[{\"products\":[\"YouTube\"],\n".utf8)
  let error = ImportError.inEntry("a/history.json", .malformed(.json, line: 2, column: 1))
  #expect(throws: error) { try ImportedFile(zip.bytes()) }
}

@Test("An incomplete download is damaged")
func cutArchive() throws {
  let bytes = try Files.fixture("takeout.zip")
  #expect(throws: ImportError.archive(.damaged)) { try ImportedFile(bytes.dropLast(10)) }
}
