import TestSupport
import Testing

@testable import Core
@testable import Exporters

private func text(of rows: [VideoRow]) -> String {
  var feed = JSONFeed(title: "Videos", feedLink: nil)
  var bytes: [UInt8] = []
  feed.appendStart(to: &bytes)
  for row in rows { feed.append(row, description: "", to: &bytes) }
  feed.appendEnd(to: &bytes)
  return String(decoding: bytes, as: UTF8.self)
}

@Test("A JSON Feed without videos is valid")
func emptyFeed() {
  #expect(text(of: []) == #"{"version":"https://jsonfeed.org/version/1.1","title":"Videos","items":["# + "\n]}\n")
}

@Test("The items of a JSON Feed are separated by commas, and an item has the ID of its Atom entry")
func items() throws {
  let row = try sampleRow(title: "One")
  let text = text(of: [row, row, row])
  #expect(text.split(separator: ",\n").count == 3)
  #expect(text.contains(#"{"id":"\#(StableID.of(row.video))","url":"https://www.youtube.com/watch?v=dQw4w9WgXcQ""#))
}

@Test("A URL that is not a web URL is not used as an image")
func images() throws {
  #expect(!text(of: [try sampleRow(title: "t", thumbnail: "javascript:x")]).contains("javascript"))
}
