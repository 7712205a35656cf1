import Glibc
import TestSupport
import Testing

@testable import Platform

/// What the hub reports to systemd, by a socket of the test.
@Suite("Notifications to the service manager")
struct ServiceNotifierTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test("A hub reports that it serves, that it works, and that it ends", arguments: [false, true])
  func served(isAbstract: Bool) throws {
    let name = isAbstract ? "@\(sandbox.folder.path)/notify" : "\(sandbox.folder.path)/notify"
    let socket = NotifySocket(name)
    sandbox.environment["NOTIFY_SOCKET"] = name
    sandbox.environment["WATCHDOG_USEC"] = "200000"
    let hub = try RunningHub(sandbox)
    wait { socket.messages.count { $0 == "WATCHDOG=1" } > 1 }
    let ready = try #require(socket.messages.first { $0.hasPrefix("READY=1\n") })
    #expect(ready == "READY=1\nSTATUS=Serving at http://127.0.0.1:\(hub.port)/")
    #expect(try hub.get("/health").status == 200)
    #expect(!socket.messages.contains("STOPPING=1"))
    let outcome = try hub.end()
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    // A sign of life may be on its way then.
    #expect(socket.messages.last { $0 != "WATCHDOG=1" } == "STOPPING=1")
    #expect(socket.messages.count { $0 == ready } == 1)
  }

  @Test(
    "A socket that is missing, or not one, stops nothing",
    arguments: ["/nonexistent/notify", "/etc", "notify", "@", ""])
  func bad(name: String) throws {
    sandbox.environment["NOTIFY_SOCKET"] = name
    let hub = try RunningHub(sandbox)
    #expect(try hub.get("/health").status == 200)
    let outcome = try hub.end()
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
  }

  @Test("A name that is too long for a socket is ignored")
  func long() { ServiceNotifier(socket: "/" + String(repeating: "x", count: 200), watchdog: nil, of: nil).ready("") }

  @Test("A variable that is taken is not in the environment of children")
  func children() {
    setenv("METUBE_TEST_TAKEN", "once", 1)
    #expect(Environment.variables()["METUBE_TEST_TAKEN"] == "once")
    #expect(Environment.take("METUBE_TEST_TAKEN") == "once")
    #expect(Environment.variables()["METUBE_TEST_TAKEN"] == nil && Environment.take("METUBE_TEST_TAKEN") == nil)
  }

  @Test("A status has one line, and a watchdog of another process is not ours")
  func values() throws {
    let socket = NotifySocket("\(sandbox.folder.path)/notify")
    ServiceNotifier(socket: socket.name, watchdog: nil, of: nil).status("the server does not answer;\nwaiting")
    #expect(socket.messages == ["STATUS=the server does not answer; waiting"])
    #expect(ServiceNotifier(socket: nil, watchdog: "1000", of: "1").watchdog == nil)
    #expect(ServiceNotifier(socket: nil, watchdog: "1000", of: "\(getpid())").watchdog == .milliseconds(1))
    #expect(ServiceNotifier(socket: nil, watchdog: "0", of: nil).watchdog == nil)
  }
}
