import HubReaders
import JSON
import TestSupport
import Testing

@Suite("Readers and saved videos that no feed has shown")
final class ReaderUnseenTests: TwoUsers {
  private let id = "9bZkp7q19f0"
  private let other = "dQw4w9WgXcQ"
  private static let starred = "user/-/state/com.google/starred"
  private static let form = "Content-Type: application/x-www-form-urlencoded"

  /// Saves two of them and one that a feed has shown; returns the latter.
  private func prepare() throws -> String {
    try follow(TwoUsers.science, by: ann)
    try poll()
    let seen = try videos(ann)[0]
    for video in [seen, id] { #expect(try mark(video, #""saved":true"#, by: ann).status == 200) }
    #expect(try mark(other, #""saved":true,"title":"A song""#, by: ann).status == 200)
    return seen
  }

  private func starred(_ query: String = "") throws -> [String] {
    try hub.get("/v1/entries?starred=true&limit=100\(query)", ann).json.texts("entries", of: "hash")
  }

  @Test("Miniflux has them under starred alone, with a feed and times, and takes marks of them")
  func miniflux() throws {
    let seen = try prepare()
    #expect(try Set(starred()) == [seen, id, other])
    let list = try hub.get("/v1/entries?starred=true&limit=100&order=id&direction=desc", ann).json
    #expect(list["total"] == 3 && Set(list.texts("entries", of: "hash")) == [seen, id, other])
    for entry in try #require(list["entries"]?.elements) {
      #expect((entry["id"]?.number ?? 0) > 0 && (entry["feed_id"]?.number ?? 0) > 0)
      #expect(entry["feed"]?["id"] == entry["feed_id"] && entry["feed"]?["title"]?.string?.isEmpty == false)
      #expect(entry["published_at"]?.string?.hasPrefix("20") == true, "\(entry)")
      #expect(entry["created_at"]?.string?.hasPrefix("20") == true && entry["status"] == "unread")
    }
    #expect(try starred("&status=read").isEmpty && starred("&after=1").count == 3 && starred("&before=1").isEmpty)
    #expect(try starred("&offset=2").count == 1 && starred("&limit=2").count <= 100)
    let all = try hub.get("/v1/entries?limit=1000", ann).json
    #expect(!all.texts("entries", of: "hash").contains(id))
    let song = try #require(list["entries"]?.elements?.first { $0["hash"] == .string(other) })
    #expect(song["title"] == "A song")
    let number = Int(song["id"]?.number ?? 0)
    #expect(try hub.get("/v1/entries/\(number)", ann).json["hash"] == .string(other))
    let marks = #"{"entry_ids":[\#(number)],"status":"read"}"#
    #expect(try hub.send("PUT", "/v1/entries", json: marks, ann).status == 204)
    #expect(try starred("&status=read") == [other])
    #expect(try hub.send("PUT", "/v1/entries/\(number)/bookmark", [ann]).status == 204)
    #expect(try Set(starred()) == [seen, id])
    // What the other user saved is not shown.
    #expect(try hub.get("/v1/entries?starred=true", bob).json["total"] == 0)
  }

  @Test("Google Reader has them under starred alone, page by page, and takes marks of them")
  func googleReader() throws {
    let seen = try prepare()
    let api = "/reader/api/0"
    var (found, continuation): ([String], String?) = ([], nil)
    repeat {
      let more = continuation.map { "&c=\($0)" } ?? ""
      let page = try hub.get("\(api)/stream/contents/\(ReaderUnseenTests.starred)?n=1\(more)", ann)
      #expect(page.status == 200, "\(page.text)")
      found += try page.json["items"]?.elements?.compactMap { $0["canonical"]?.elements?.first?["href"]?.string } ?? []
      continuation = try page.json["continuation"]?.string
    } while continuation != nil && found.count < 9
    #expect(found.count == 3 && Set(found.map { String($0.suffix(11)) }) == [seen, id, other], "\(found)")
    let ids = try hub.get("\(api)/stream/items/ids?s=\(ReaderUnseenTests.starred)&n=10", ann).json
    let references = ids.texts("itemRefs", of: "id")
    #expect(references.count == 3)
    let all = try hub.get("\(api)/stream/items/ids?s=user/-/state/com.google/reading-list&n=1000", ann).json
    #expect(Set(all.texts("itemRefs", of: "id")).intersection(references).count == 1)
    let query = references.map { "i=\($0)" }.joined(separator: "&")
    let items = try hub.send("POST", "\(api)/stream/items/contents", [ReaderUnseenTests.form, ann], body: query.utf8)
      .json
    let entries = try #require(items["items"]?.elements)
    #expect(entries.count == 3 && entries.contains { $0["title"] == "A song" })
    for entry in entries {
      #expect(entry["origin"]?["streamId"]?.string != "feed/0" && (entry["published"]?.number ?? 0) > 1e9, "\(entry)")
    }
    let read = "s=\(ReaderUnseenTests.starred)"
    let response = try hub.send("POST", "\(api)/mark-all-as-read", [ReaderUnseenTests.form, ann], body: read.utf8)
    #expect(response.text == "OK")
    #expect(try hub.get("/api/v1/videos/\(id)", ann).json["status"] == "watched")
  }
}
