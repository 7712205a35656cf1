import Testing

@testable import Fetch

@Test("An answer brings its status, body, headers and URL")
func plainAnswer() throws {
  let server = try ScriptedServer { _ in
    [
      .answer(
        "200 OK", headers: ["Content-Type: text/xml; charset=UTF-8", "ETag: \"a1\"", "Last-Modified: yesterday"],
        text: "<feed/>")
    ]
  }
  let outcome = try outcome(ofGet: server.url("/feed"))
  let answer = try outcome.result.get()
  #expect(outcome.tag == 1)
  #expect(outcome.bytes > 100 && outcome.elapsed > .zero)
  #expect(answer.status == 200)
  #expect(answer.body == Array("<feed/>".utf8))
  #expect(answer.contentType == "text/xml; charset=UTF-8")
  #expect(answer.etag == "\"a1\"")
  #expect(answer.lastModified == "yesterday")
  #expect(answer.effectiveURL == server.url("/feed"))
  #expect(answer.redirects == 0 && answer.location == nil && answer.retryAfter == nil)
}

@Test("A status of failure is an answer with its body", arguments: [304, 403, 404, 429, 500, 503])
func statusIsData(status: Int) throws {
  let server = try ScriptedServer { _ in [.answer("\(status) Word", text: status == 304 ? "" : "page")] }
  let answer = try answer(toGet: server.url("/"))
  #expect(answer.status == status)
  #expect(answer.body.count == (status == 304 ? 0 : 4))
}
