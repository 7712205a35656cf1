import TestSupport
import Testing

@testable import Core

/// A list of `count` videos, each changed `times` times.
private func list(of count: UInt64, times: Int) -> VideoList {
  var list = VideoList()
  for _ in 0..<times {
    for number in 0..<count {
      list.update(Sample.video(number), missing: Video(id: Sample.video(number))) { $0.hasZeroViews.toggle() }
    }
  }
  return list
}

@Test("Videos are found by ID and listed in order of arrival", arguments: [0, 1, 511, 512, 513, 2000])
func videosInOrder(count: UInt64) {
  let list = list(of: count, times: 1)
  #expect(list.count == Int(count) && list.isEmpty == (count == 0))
  #expect(list.videos.map(\.id) == (0..<count).map { Sample.video($0) })
  #expect((0..<count).allSatisfy { list[Sample.video($0)]?.id == Sample.video($0) })
  #expect(list[Sample.video(count)] == nil && !list.contains(Sample.video(count)))
}

@Test("A known video is updated in place, not added again")
func changedInPlace() {
  let list = list(of: 600, times: 2)
  #expect(list.count == 600)
  #expect(list.videos.allSatisfy { !$0.hasZeroViews })
}

@Test("Changing a copy leaves the original list unchanged")
func copies() {
  let list = list(of: 3, times: 1)
  var copy = list
  copy.update(Sample.video(1), missing: Video(id: Sample.video(1))) { $0.hasZeroViews = false }
  #expect(list[Sample.video(1)]?.hasZeroViews == true)
  #expect(copy[Sample.video(1)]?.hasZeroViews == false)
}
