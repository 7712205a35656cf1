import Core
import FeedParser

@testable import WebFeed

/// libFuzzer entry point. Each input is a feed of the web; its first byte selects the charset it is sent with.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let contentType: String? =
    switch input.first {
    case UInt8(ascii: "1"): "text/xml; charset=windows-1251"
    case UInt8(ascii: "2"): "text/xml; charset=shift_jis"
    default: nil
    }
  let document = contentType == nil ? input : Array(input.dropFirst())
  let base = WebURL("https://feeds.example/dir/feed")
  guard let feed = try? WebFeedParser.parse(document, contentType: contentType, base: base) else { return 0 }
  expect((try? WebFeedParser.parse(document, contentType: contentType, base: base)) == feed, "two parses differ")
  expect(feed.entries.count <= WebFeedParser.limits.entries, "more entries than the limit allows")
  feed.entries.forEach(expectBounded)
  for link in [feed.link, feed.selfLink, feed.nextPage, feed.image, feed.newFeedURL] + feed.hubs { expectWeb(link) }
  return 0
}

private func expectBounded(_ entry: WebEntry) {
  expect(entry.summary?.unicodeScalars.count ?? 0 <= WebFeed.summaryLimit, "a summary is too long")
  expect(entry.notes?.utf8.count ?? 0 <= WebFeed.notesLimit, "notes are too long")
  expect(entry.title?.unicodeScalars.count ?? 0 <= WebFeedLimits.title, "a title is too long")
  expect(entry.media.count <= WebFeedLimits.media, "too many files")
  expect(entry.media.filter(\.isDefault).count == min(1, entry.media.count), "not one default file")
  for link in [entry.link, entry.image, entry.chapters] + entry.media.map(\.url) { expectWeb(link) }
  _ = entry.substituteTitle
}

private func expectWeb(_ link: String?) {
  guard let link else { return }
  expect(WebLink.isSafe(link), "a link that is not safe: \(link)")
}

/// Aborts if `holds` is false, so that libFuzzer records a crash.
private func expect(_ holds: Bool, _ broken: @autoclosure () -> String) {
  if !holds { fatalError(broken()) }
}
