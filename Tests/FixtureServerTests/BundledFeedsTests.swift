import Core
import Foundation
import Testing

/// The folder with Package.swift.
private let packageRoot: URL = {
  var folder = URL(filePath: #filePath)
  while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path), folder.path != "/" {
    folder.deleteLastPathComponent()
  }
  return folder
}()

/// The texts between `start` and `end`, in order.
private func texts(in document: String, from start: String, to end: String) -> [String] {
  document.split(separator: start, omittingEmptySubsequences: false).dropFirst().map { part in
    String(part.prefix(upTo: part.firstRange(of: end)?.lowerBound ?? part.startIndex))
  }
}

@Suite("The bundled feeds")
struct BundledFeedsTests {
  private let channels: [String]
  private let feeds: [String: String]

  init() throws {
    let outlines = try String(contentsOf: packageRoot.appending(path: "feeds.opml"), encoding: .utf8)
    channels = texts(in: outlines, from: "channel_id=", to: "\"")
    let folder = packageRoot.appending(path: "Fixtures/feeds/channels")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let documents = try files.filter { $0.pathExtension == "xml" }
      .map { ($0.deletingPathExtension().lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
    feeds = Dictionary(uniqueKeysWithValues: documents)
  }

  @Test("feeds.opml names channels, and each has its feed")
  func outlines() {
    #expect(channels.count == 20 && channels.allSatisfy { ChannelID($0) != nil })
    #expect(Set(channels) == Set(feeds.keys))
  }

  @Test("Each feed has 15 videos of its channel, newest first")
  func entries() {
    for (channel, feed) in feeds {
      let entries = texts(in: feed, from: "<entry>", to: "</entry>")
      #expect(entries.count == 15)
      #expect(entries.allSatisfy { $0.contains("<yt:channelId>\(channel)</yt:channelId>") })
      let published = entries.flatMap { texts(in: $0, from: "<published>", to: "<") }.compactMap {
        Timestamp(rfc3339: $0)
      }
      #expect(published.count == 15 && published == published.sorted(by: >), "\(channel)")
    }
  }

  @Test("No video appears twice, and every ID is valid")
  func videos() {
    let videos = feeds.values.flatMap { texts(in: $0, from: "<yt:videoId>", to: "<") }
    #expect(videos.allSatisfy { VideoID($0) != nil })
    #expect(Set(videos).count == 300)
  }

  @Test("The oddities that the demo shows are present")
  func oddities() throws {
    let newest = feeds.mapValues { texts(in: $0, from: "<entry>", to: "</entry>").first ?? "" }
    #expect(try #require(newest["UC3I2GFN_F8WudD_2jUZbojA"]).contains("<yt:videoId>-"))
    #expect(try #require(newest["UCLA_DiR1FfKNvjuUpBHmylQ"]).contains("views=\"0\""))
    #expect(try #require(newest["UC9-y-6csu5WGm29I7JiwpnA"]).contains("&lt;script&gt;"))
    #expect(feeds.values.joined().split(separator: "/shorts/").count > 20)
  }
}
