import Core
import ReadModel
import SQLDrivers
import Synchronization
import TestSupport
import Testing

@testable import App
@testable import Platform
@testable import metube_hub

@Suite("Parts of exports")
struct ExportPartTests {
  /// How often it was looked whether reading is to end: each time that the tables are read, and now and then meanwhile.
  private final class Looks: Sendable {
    let count = Atomic<Int>(0)
  }

  @Test("An export reads hundreds of videos at once, in its order")
  func parts() throws {
    let sandbox = try Sandbox()
    let session = try Session(Home(folder: sandbox.folder.path, environment: [:]), reports: false)
    try session.commit { (0..<1200).map { Sample.found($0) } }
    // One was never found.
    let ids = (0...1200).map { Sample.video($0 * 7 % 1201) }
    let videos = ExportedVideos(videos: ids, title: "", filter: "", session: session)
    let (looks, interruption) = (Looks(), Interruption())
    interruption.begin {
      looks.count.add(1, ordering: .relaxed)
      return false
    }
    let text = try Interruption.$current.withValue(interruption) {
      String(decoding: try Output.bytes { try videos.writeLines(to: &$0) }, as: UTF8.self)
    }
    let exported = text.split(separator: "\n").compactMap { line in
      line.split(separator: "\"video\":\"").dropFirst().first.flatMap { VideoID(String($0.prefix(11))) }
    }
    #expect(exported == ids.filter { $0 != Sample.video(1200) })
    #expect(looks.count.load(ordering: .relaxed) < 100)
  }
}
