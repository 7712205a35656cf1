import TestSupport
import Testing

@testable import Core

@Test("Watched videos are listed most recent first, within a second by the order of marking")
func watchedOrder() {
  func watched(_ milliseconds: UInt64, _ video: UInt64, at second: Int64? = nil) -> Event {
    let id = EventID(reading: Sample.id(100).reading + milliseconds << 16, device: Sample.device)
    let time = second.map { Sample.start.adding(seconds: $0) }
    let set = StatusSet(video: Sample.video(video), status: .watched, at: time)
    return Event(id: id, action: id, body: .statusSet(set))
  }
  let numbers: [UInt64] = [5, 1, 4, 2, 3]
  var events = numbers.enumerated().map { Sample.event(Int64($0), Sample.found($1)) }
  events += numbers.enumerated().map { watched(UInt64($0), $1) }
  events += [Sample.event(9, Sample.found(6)), watched(1500, 6, at: 7)]
  let rows = WatchedRow.rows(in: Sample.state(events), at: Sample.start, since: nil, until: nil, limit: 0).rows
  #expect(rows.map(\.row.video) == [3, 2, 4, 1, 5, 6].map(Sample.video))
}
