import NIOCore
import NIOPosix
import Platform
import Synchronization
import TestSupport
import Testing

@testable import metube_hub

@Suite("The watchdog")
struct WatchdogTests {
  @Test("A blocked event loop is not reported as working")
  func blocked() async throws {
    let folder = TemporaryFolder()
    let socket = NotifySocket("\(folder.path)/notify")
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let loops = Array(group.makeIterator())
    let notifier = ServiceNotifier(socket: socket.name, watchdog: "1000000", of: nil)
    let isBlocked = Atomic<Bool>(false)
    let isFree = Atomic<Bool>(false)
    loops[1].execute {
      isBlocked.store(true, ordering: .releasing)
      while !isFree.load(ordering: .acquiring) { usleep(1000) }
    }
    wait { isBlocked.load(ordering: .acquiring) }
    async let report: Void = WatchdogLoop(loops: group, notifier: notifier).report()
    // The free loop has run what the report waits for first.
    try await loops[0].submit {}.get()
    #expect(socket.messages.isEmpty)
    isFree.store(true, ordering: .releasing)
    await report
    #expect(socket.messages == ["WATCHDOG=1"])
    try await group.shutdownGracefully()
  }
}
