import FeedParser
import Glibc
import TestSupport
import Testing

@testable import Core
@testable import Exporters

/// Recorded feeds, which are not part of the package: named by the environment, or next to the package.
private let recorded: [String] = {
  let samples =
    getenv("METUBE_RSS_SAMPLES").map { String(cString: $0) } ?? GoldenFiles.packageRoot + "/../shared/samples"
  guard let folder = opendir(samples + "/feeds") else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if name.hasSuffix(".xml") { names.append("\(samples)/feeds/\(name)") }
  }
  return names.sorted()
}()

@Test("YouTube's text is exported verbatim", .enabled(if: !recorded.isEmpty), arguments: recorded)
func wordForWord(path: String) throws {
  let feed = try Feed(xml: GoldenFiles.read(at: path))
  var bytes: [UInt8] = []
  let export = AtomFeed(
    id: StableID.feed(filter: ""), title: feed.title, updated: Timestamp(seconds: 0), selfLink: nil)
  export.appendStart(to: &bytes)
  for entry in feed.entries {
    var row = try sampleRow(
      video: entry.video.description, title: entry.title, channelTitle: entry.authorName, thumbnail: entry.thumbnail)
    row.channel = entry.channel
    row.url = entry.link
    row.published = entry.published
    export.append(row, description: entry.description ?? "", to: &bytes)
  }
  export.appendEnd(to: &bytes)
  // Our own feeds have no media:group, in which YouTube's feeds hold these elements.
  let grouped = String(decoding: bytes, as: UTF8.self)
    .split(separator: "<media:title>", omittingEmptySubsequences: false).joined(separator: "<media:group><media:title>")
    .split(separator: "</media:description>", omittingEmptySubsequences: false)
    .joined(separator: "</media:description></media:group>")
  let back = try Feed(xml: Array(grouped.utf8))
  try #require(back.entries.count == feed.entries.count)
  for (entry, original) in zip(back.entries, feed.entries) {
    #expect(entry.video == original.video && entry.channel == original.channel)
    #expect(entry.title == original.title && entry.mediaTitle == original.title)
    #expect(entry.link == original.link && entry.thumbnail == original.thumbnail)
    #expect(entry.authorName == original.authorName && entry.published == original.published)
    #expect(entry.description == original.description)
  }
}
