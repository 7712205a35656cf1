import Core
import Glibc
import Testing

@testable import EventLog

private let now: UInt64 = 1_761_392_475_000

private func journal(_ folder: TemporaryFolder, _ device: String = "k3v9x2ap", at time: UInt64 = now) throws -> Journal
{
  let id: DeviceID = try #require(DeviceID(device))
  return try Journal(folders: folder.folders, device: id, machine: nil) { time }
}

/// Appends random events in the name of a device.
private func append(_ folder: TemporaryFolder, _ device: String, seed: UInt64) throws {
  var maker = EventMaker(seed: seed, pieces: pieces)
  let bodies = maker.events(40).map(\.body)
  _ = try journal(folder, device, at: now + seed).commit(action: nil, undoing: nil) { _ in bodies }
}

private let pieces = ["Steam ", "engine", "-", "C++ ", "\n", "東京", "駅", "\"", "\\n", "É", "e\u{301}", "x", " y"]
private let searches = [
  "steam", "e", "engine-", "c++", "東京", "京駅東", "n", "\\", "x y", "é", "UC", "-engine steam", "\"",
]

/// Few enough for small logs.
private let small = TextLibrary.Limits(leastVideos: 1, mostUnknown: 0, mostTexts: 7)

/// The videos that a search finds, and how many texts the index lacked.
private func search(_ words: String, _ library: TextLibrary, _ journal: Journal) -> (Set<VideoID>, unknown: Int) {
  let search = TextSearch(SearchWords(words), in: library.index)
  let videos = journal.state.videos.filter { video in
    search.matches(video, in: journal.state) { NormalizedText.bytes(of: text(of: $0, journal)) }
  }
  return (Set(videos.map(\.id)), search.unknownTexts)
}

private func text(of video: Video, _ journal: Journal) -> String {
  video.description.flatMap { try? journal.text(of: $0) } ?? ""
}

/// The videos that have the words, by looking at every text.
private func slowly(_ words: String, _ journal: Journal) -> Set<VideoID> {
  let words = SearchWords(words)
  let videos = journal.state.videos.filter { video in
    words.match([video.title, journal.state.channelTitle(of: video), text(of: video, journal)])
  }
  return Set(videos.map(\.id))
}

@Test(
  "A search finds what the texts have, whatever was indexed before, edited, compacted or came from elsewhere",
  arguments: 1...25 as ClosedRange<UInt64>)
func searchesAgainstTexts(seed: UInt64) throws {
  let folder = TemporaryFolder()
  for step in 0..<8 as Range<UInt64> {
    try append(folder, step % 3 == 2 ? "aaaaaaaa" : "k3v9x2ap", seed: seed * 100 + step)
    if step == 3 { try journal(folder).writeCheckpoint() }
    if step == 5 { _ = try journal(folder, at: now + seed * 200).compact() }
    let journal = try journal(folder)
    let library = TextLibrary(journal, step == 6 ? .usual : small)
    for words in searches {
      let (found, unknown) = search(words, library, journal)
      #expect(found == slowly(words, journal), "\(words)")
      if step < 6 { library.note(unknownTexts: unknown) }
    }
  }
}

@Test("What was indexed is not read again")
func indexedTexts() throws {
  let folder = TemporaryFolder()
  for step in 0..<4 as Range<UInt64> { try append(folder, "k3v9x2ap", seed: step) }
  let journal = try journal(folder)
  let library = TextLibrary(journal, small)
  #expect(!library.index.segments.isEmpty)
  #expect(library.index.segments.allSatisfy { $0.count <= small.mostTexts })
  #expect(search("steam", library, journal).unknown == 0)
  #expect(search("steam", TextLibrary(journal, small), journal).unknown == 0)
}

@Test("Texts that came later are indexed once enough of them were read, and small segments are joined")
func laterTexts() throws {
  let folder = TemporaryFolder()
  let limits = TextLibrary.Limits(leastVideos: 1, mostUnknown: 0, mostTexts: 1000)
  for step in 0..<12 as Range<UInt64> {
    try append(folder, "k3v9x2ap", seed: step)
    let journal = try journal(folder)
    let library = TextLibrary(journal, limits)
    library.note(unknownTexts: search("steam", library, journal).unknown)
    #expect(search("steam", library, journal).unknown == 0)
    #expect(library.index.segments.count <= 3)
  }
}

@Test("Who asks for no text opens and makes nothing")
func nothingAsked() throws {
  let folder = TemporaryFolder()
  try append(folder, "k3v9x2ap", seed: 1)
  let library = TextLibrary(try journal(folder), small)
  _ = library.verdicts(on: [Rule(id: "692fd3a0-k3v9", verdict: .block)])
  #expect(access(folder.folders.texts, F_OK) != 0)
}

@Test("With few videos there is no index")
func fewVideos() throws {
  let folder = TemporaryFolder()
  try append(folder, "k3v9x2ap", seed: 1)
  #expect(TextLibrary(try journal(folder), .usual).index.segments.isEmpty)
  #expect(access(folder.folders.texts, F_OK) != 0)
}

@Test("A broken segment is as if it was not there")
func brokenSegments() throws {
  let folder = TemporaryFolder()
  for step in 0..<4 as Range<UInt64> { try append(folder, "k3v9x2ap", seed: step) }
  let journal = try journal(folder)
  _ = TextLibrary(journal, small).index
  for name in ["1", "2"] {
    var bytes = try #require(folder.read("cache/texts/" + name))
    bytes[bytes.count / 2] ^= 1
    folder.write(bytes, to: "cache/texts/" + name)
  }
  folder.write(Array("no segment".utf8), to: "cache/texts/9")
  for words in searches {
    #expect(search(words, TextLibrary(journal, small), journal).0 == slowly(words, journal))
  }
}

@Test("Where nothing can be written, searches find the same")
func noCache() throws {
  let folder = TemporaryFolder()
  for step in 0..<4 as Range<UInt64> { try append(folder, "k3v9x2ap", seed: step) }
  folder.write([], to: "cache")
  let journal = try journal(folder)
  for words in searches {
    #expect(search(words, TextLibrary(journal, small), journal).0 == slowly(words, journal))
  }
}

@Test("While another program writes segments, none are written")
func anotherWriter() throws {
  let folder = TemporaryFolder()
  for step in 0..<4 as Range<UInt64> { try append(folder, "k3v9x2ap", seed: step) }
  let journal = try journal(folder)
  try TextFiles(journal.folders).whileAlone { () throws(LogError) in
    #expect(TextLibrary(journal, small).index.segments.isEmpty)
  }
  #expect(!TextLibrary(journal, small).index.segments.isEmpty)
}
