import FixtureServer
import Testing

@testable import HTTPClient

@Test("A form is posted; 307 and 308 repeat it with its body, and the session goes on with GET", arguments: [307, 308])
func posted(status: Int) throws {
  let server = try FixtureServer.start(port: 0)
  defer { server.stop() }
  let target = server.baseURL + "/hub"
  server.route("/old") { _ in Response(status: status, headers: ["Location": target], body: []) }
  server.route("/hub") { _ in Response(status: 202, headers: ["Link": "<a>; rel=x"], body: []) }
  let session = try HTTPSession(.patient)
  for path in ["/hub", "/old"] {
    server.forgetRequests()
    var request = get(server.baseURL + path)
    request.method = .post("hub.mode=subscribe&hub.topic=https%3A%2F%2Fx")
    #expect(try session.outcome(of: request).result.get().status == 202)
    for request in server.requests {
      #expect(request.method == "POST" && request.headers["content-type"] == "application/x-www-form-urlencoded")
      #expect(String(decoding: request.body, as: UTF8.self) == "hub.mode=subscribe&hub.topic=https%3A%2F%2Fx")
    }
    #expect(server.requests.count == (path == "/hub" ? 1 : 2))
    let response = try session.outcome(of: get(target)).result.get()
    #expect(response.links == ["<a>; rel=x"])
    #expect(server.requests.last?.method == "GET" && server.requests.last?.body == [])
  }
}
