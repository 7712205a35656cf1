import Glibc
import TestSupport
import Testing

@Suite("Two hubs on one data folder")
struct HubLockTests {
  @Test("The second one is refused and names the first; once that ended, even killed, another one may serve")
  func second() throws {
    let sandbox = try Sandbox()
    try sandbox.addUser("ann")
    let first = try sandbox.runHub()
    let serve = ["serve", "--no-poll", "--listen", "127.0.0.1:0", "--data", sandbox.hubData]
    let refused = try sandbox.hub(serve)
    #expect(refused.status == 75, "\(refused.errors)")
    #expect(refused.errors.contains("\(sandbox.hubData): metube-hub serve (process "), "\(refused.errors)")
    #expect(refused.errors.contains("serves it already") && refused.text.isEmpty)
    #expect(try first.get("/health").status == 200)
    first.kill()
    let next = try sandbox.runHub()
    #expect(try next.get("/health").status == 200)
    #expect(try next.end().status == 0)
  }

  @Test("Any number of hubs may serve one home, as terminals use it too")
  func home() throws {
    let sandbox = try Sandbox()
    let hubs = [try RunningHub(sandbox), try RunningHub(sandbox)]
    for hub in hubs { #expect(try hub.get("/health").status == 200) }
  }
}
