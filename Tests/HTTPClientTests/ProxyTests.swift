import Foundation
import Testing

@testable import HTTPClient

/// A proxy that gives one fixed response and connects nowhere.
private func fakeProxy() throws -> ScriptedServer {
  try ScriptedServer { request in
    switch request.target {
    case "http://moved.example/": [.redirect(to: "http://feeds.example/x"), .close]
    case "feeds.example:443": [.respond("403 Forbidden")]
    default: [.respond("200 OK", text: "by proxy")]
    }
  }
}

@Test("A proxy in the settings gets the whole URL")
func proxySetting() throws {
  let proxy = try fakeProxy()
  let settings = HTTPSettings.patient.with(\.proxy, proxy.url(""))
  #expect(try response(toGet: "http://feeds.example/x?y=1", settings).body == Array("by proxy".utf8))
  #expect(proxy.requests.map(\.target) == ["http://feeds.example/x?y=1"])
}

@Test("A redirect also goes through the proxy, even if the proxy's address is private")
func redirectThroughProxy() throws {
  let proxy = try fakeProxy()
  let settings = HTTPSettings.patient.with(\.proxy, proxy.url(""))
  let response = try response(toGet: "http://moved.example/", settings)
  #expect(response.body == Array("by proxy".utf8) && response.effectiveURL == "http://feeds.example/x")
  #expect(proxy.requests.map(\.connection) == [0, 1])
}

@Test("A proxy that denies the request is a failure")
func refusingProxy() throws {
  let proxy = try fakeProxy()
  let settings = HTTPSettings.patient.with(\.proxy, proxy.url(""))
  #expect(try failure(ofGet: "https://feeds.example/", settings) == .proxy(status: 403))
  #expect(proxy.requests.first?.lines.first == "CONNECT feeds.example:443 HTTP/1.1")
}

@Test("A missing proxy refuses the connection; one without an address is a resolve failure")
func missingProxy() throws {
  let settings = HTTPSettings.patient.with(\.proxy, "http://127.0.0.1:\(unusedPort())")
  #expect(try failure(ofGet: "http://feeds.example/", settings) == .connect(errno: 111))
  #expect(try failure(ofGet: "http://feeds.example/", .patient.with(\.proxy, "http://nowhere.invalid:1")) == .resolve)
}

@Test("The environment's proxy is used, except for the hosts it excludes")
func environmentProxy() async {
  // In a process of its own, because the environment is global.
  await #expect(processExitsWith: .success) {
    let proxy = try fakeProxy()
    let direct = try ScriptedServer { _ in [.respond("200 OK", text: "direct")] }
    setenv("http_proxy", proxy.url(""), 1)
    setenv("no_proxy", "127.0.0.1", 1)
    #expect(try response(toGet: "http://feeds.example/").body == Array("by proxy".utf8))
    #expect(try response(toGet: direct.url("/")).body == Array("direct".utf8))
    #expect(proxy.requests.map(\.target) == ["http://feeds.example/"])
  }
}

@Test("An empty proxy in the settings means none, whatever the environment says")
func noProxy() async {
  await #expect(processExitsWith: .success) {
    let server = try ScriptedServer { _ in [.respond("200 OK")] }
    setenv("http_proxy", "http://127.0.0.1:\(unusedPort())", 1)
    #expect(try response(toGet: server.url("/"), .patient.with(\.proxy, "")).status == 200)
  }
}

@Test("A proxy in the settings takes precedence over the environment's")
func settingBeforeEnvironment() async {
  await #expect(processExitsWith: .success) {
    let proxy = try fakeProxy()
    setenv("all_proxy", "http://127.0.0.1:\(unusedPort())", 1)
    setenv("http_proxy", "http://127.0.0.1:\(unusedPort())", 1)
    #expect(try response(toGet: "http://feeds.example/", .patient.with(\.proxy, proxy.url(""))).status == 200)
  }
}
