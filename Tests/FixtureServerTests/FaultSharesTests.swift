import Testing

@testable import FixtureServer

@Suite("Fault shares")
struct FaultSharesTests {
  @Test("Each fault in a list gets the part after the previous one")
  func list() throws {
    let shares = try #require(FaultShares("404=25,429=50,hang=25")).shares
    #expect(shares.map(\.fault) == [.status(404), .response(.tooManyRequests(retryAfter: 60)), .hangBeforeResponse])
    #expect(shares.map(\.scope) == [.share(0..<0.25), .share(0.25..<0.75), .share(0.75..<1)])
  }

  @Test("Every advertised name is known", arguments: FaultShares.names)
  func names(name: String) { #expect(FaultShares("\(name)=1") != nil) }

  @Test("Anything else is rejected", arguments: ["404", "404=x", "404=-1", "404=60,500=60", "200=1", "cold=1"])
  func refused(text: String) { #expect(FaultShares(text) == nil) }
}
