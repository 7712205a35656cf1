import Core
import Testing

@testable import ReadModel

@Test("Watched videos are listed most recent first, within a second by the order of marking")
func watchedOrder() throws {
  func watched(_ milliseconds: UInt64, _ video: UInt64, at second: Int64? = nil) -> Event {
    let id = EventID(reading: Sample.event(100, .actionUndone).id.reading + milliseconds << 16, device: Sample.device)
    let time = second.map { Sample.start.adding(seconds: $0) }
    let set = StatusSet(video: Sample.video(video), status: .watched, at: time)
    return Event(id: id, action: id, body: .statusSet(set))
  }
  let numbers: [UInt64] = [5, 1, 4, 2, 3]
  var events = numbers.enumerated().map { Sample.event(Int64($0), Sample.found($1)) }
  events += numbers.enumerated().map { watched(UInt64($0), $1) }
  events += [Sample.event(9, Sample.found(6)), watched(1500, 6, at: 7)]
  let model = try ReadModel.empty()
  try model.apply(events)
  let rows = try model.history(since: nil, until: nil, limit: 0).rows
  #expect(rows.map(\.video) == [3, 2, 4, 1, 5, 6].map(Sample.video))
}

@Test("A collection lists its videos in the order added, including videos not found yet, without removed ones")
func collectionMembers() throws {
  func set(_ second: Int64, _ video: UInt64, _ name: String, _ member: Bool = true) -> Event {
    Sample.event(second, .collectionSet(CollectionSet(video: Sample.video(video), collection: name, member: member)))
  }
  let model = try ReadModel.empty()
  try model.apply([
    set(3, 2, "Later"), set(1, 3, "Later"), set(2, 1, "Later"), set(4, 1, "Songs"), set(5, 3, "Later", false),
    set(6, 4, "Gone"), set(7, 4, "Gone", false),
  ])
  #expect(try model.collections() == ["Later": 2, "Songs": 1])
  #expect(try model.members(of: "Later") == [Sample.video(1), Sample.video(2)])
  #expect(try model.members(of: "Songs") == [Sample.video(1)])
  #expect(try model.video(Sample.video(1))?.collections == ["Later", "Songs"])
  #expect(try model.video(Sample.video(4))?.collections == [])
}
