import TestSupport
import Testing

/// The examples for proxies; `make hub-judges` runs them.
@Suite("The examples for proxies")
struct ProxyExampleTests {
  @Test("nginx passes on the host with its port, and the address of the client, in each location")
  func nginx() throws {
    let bytes = try #require(Files.read(Files.packageRoot + "/docs/examples/nginx.conf"))
    let locations = String(decoding: bytes, as: UTF8.self).split(separator: "  location ").dropFirst()
    #expect(locations.count == 2)
    for location in locations {
      for (name, value) in [("Host", "$http_host"), ("X-Forwarded-For", "$remote_addr")] {
        let headers = location.split(separator: "\n").filter { $0.contains("proxy_set_header \(name) ") }
        #expect(headers.map(String.init) == ["    proxy_set_header \(name) \(value);"], "\(location)")
      }
    }
  }
}
