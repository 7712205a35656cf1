import Testing

@testable import metube_hub

@Suite("Freed memory")
struct FreedMemoryTests {
  @Test("A release is due each time the process has grown by a step since the last one")
  func growth() {
    var releases = MemoryReleases()
    let step = MemoryReleases.step
    let isFirstDue = releases.isDue(at: step)
    releases.released(to: 100)
    let (isEarlyDue, isNextDue) = (releases.isDue(at: 100 + step - 1), releases.isDue(at: 100 + step))
    #expect(isFirstDue && !isEarlyDue && isNextDue)
  }

  @Test("Memory that went back without a release lowers the size to grow from")
  func shrinking() {
    var releases = MemoryReleases()
    releases.released(to: 5 * MemoryReleases.step)
    let (isFirstDue, isSecondDue) = (
      releases.isDue(at: MemoryReleases.step), releases.isDue(at: 2 * MemoryReleases.step)
    )
    #expect(!isFirstDue && isSecondDue)
  }

  @Test("The resident size of the process is known, and counts what was written")
  func resident() throws {
    let before = try #require(FreedMemory.resident)
    let bytes = [UInt8](repeating: 1, count: 64 << 20)
    let after = try #require(FreedMemory.resident)
    #expect(before > 1 << 20)
    #expect(after > 64 << 20)
    #expect(bytes.last == 1)
  }
}
