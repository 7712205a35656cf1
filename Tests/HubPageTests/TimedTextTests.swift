import Core
import Testing

@testable import HubPage

@Suite("Times in descriptions")
struct TimedTextTests {
  @Test(
    "Times of chapters are found, and nothing that only looks like one",
    arguments: [
      ("0:00 Start\n1:23 Middle\n(1:02:03) End", [0, 83, 3723]), ("75:00", [4500]), ("[0:05]", [5]), ("at 0:10.", [10]),
      ("1:2 12:345 123:00 1:60 1:00:60 1:2:3:4 :30 a1:00 1:00b 1:00:00:00", []), ("https://a.example/1:23", []),
      ("2026-11-27T12:34:56 score 3:1", []), ("", []), ("9", []), ("9:", []), ("é 0:07", [7]),
    ] as [(String, [Int])])
  func found(text: String, seconds: [Int]) {
    let timed = TimedText(text, duration: nil)
    #expect(timed.marks.map(\.seconds) == seconds)
  }

  @Test("Times after the end of the video are ignored")
  func duration() {
    #expect(TimedText("1:00 2:00 2:01", duration: 120).marks.map(\.seconds) == [60, 120])
  }

  @Test("A description links its addresses and times, and everything else is escaped")
  func html() throws {
    let video = try #require(VideoID("dQw4w9WgXcQ"))
    let html = HTML(describing: "0:05 <b> https://a.example/?x=1:23&y\n1:00", duration: 90) {
      "https://www.youtube.com/watch?v=\(video)&t=\($0)s"
    }
    func link(_ text: String, _ seconds: Int) -> String {
      #"<a class="time" href="https://www.youtube.com/watch?v=\#(video)&amp;t=\#(seconds)s" rel="noreferrer" "#
        + #"data-seconds="\#(seconds)">\#(text)</a>"#
    }
    let address = "https://a.example/?x=1:23&amp;y"
    #expect(
      String(decoding: html.bytes, as: UTF8.self)
        == link("0:05", 5) + " &lt;b&gt; <a href=\"\(address)\">\(address)</a><br>\n" + link("1:00", 60))
  }
}
