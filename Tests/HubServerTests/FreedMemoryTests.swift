import Testing

@testable import metube_hub

@Suite("Freed memory")
struct FreedMemoryTests {
  private static let step = MemoryReleases.step

  /// Whether a release is due at each of these sizes in turn, after one that left this many bytes.
  private func due(at sizes: [Int], after size: Int = 100) -> [Bool] {
    var releases = MemoryReleases()
    releases.released(to: size)
    return sizes.map { releases.isDue(at: $0) }
  }

  @Test("A release is due when the process has grown by a step since the last one")
  func growth() {
    #expect(due(at: [100 + FreedMemoryTests.step - 1, 100 + FreedMemoryTests.step]) == [false, true])
  }

  @Test("Without growth a release is due at the twentieth look")
  func looks() {
    #expect(due(at: Array(repeating: 100, count: 20)) == Array(repeating: false, count: 19) + [true])
  }

  @Test("Memory that went back without a release lowers the size to grow from")
  func shrinking() {
    let step = FreedMemoryTests.step
    #expect(due(at: [step, 2 * step], after: 5 * step) == [false, true])
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
