import Glibc
import TestSupport
import Testing

@Suite("Memory of the hub")
final class HubMemoryTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test("However many threads work, glibc keeps freed memory in two arenas")
  func arenas() throws {
    let hub = try RunningHub(sandbox)
    // Each connection comes to another thread.
    for number in 1...40 { #expect(try hub.get("/api/v1/videos?limit=\(number)").status == 200) }
    // The first one is the heap of the process.
    #expect(hub.arenas <= 1)
    #expect(try hub.end().status == 0)
  }
}
