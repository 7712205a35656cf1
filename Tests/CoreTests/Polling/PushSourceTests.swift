import Testing

@testable import Core

@Test("Requests go to a hub over TLS with a name, or to where the feeds come from; never into the user's network")
func safe() {
  func isSafe(_ hub: String, _ feeds: String = "https://www.youtube.com") -> Bool {
    PushSource(hub: hub, topic: "").isSafe(feedsURL: feeds)
  }
  #expect(isSafe("https://pubsubhubbub.appspot.com/subscribe") && isSafe("https://www.youtube.com/hub"))
  #expect(isSafe("http://127.0.0.1:8080/hub", "http://127.0.0.1:9090"))
  for hub in [
    "http://pubsubhubbub.appspot.com/", "https://10.0.0.1/", "https://localhost/", "https://[::1]/",
    "https://a@b.example/",
    "http://127.0.0.1/", "https://0x7f000001/", "https://127.1/", "http://www.youtube.com/hub", "https:///x", "x",
  ] { #expect(!isSafe(hub), "\(hub)") }
  #expect(!isSafe("http://10.0.0.1/", "http://127.0.0.1:9090"))
}
