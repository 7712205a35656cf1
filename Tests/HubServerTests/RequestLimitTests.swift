import HubCore
import Testing

@testable import HubLimits
@testable import metube_hub

@Suite("Requests of users")
struct RequestLimitTests {
  /// How many requests pass in a row, of at most some.
  private func passing(
    _ limit: RequestLimit, _ user: String = "ann", isChange: Bool = false, subscriptions: Int = 0, own: Int? = nil,
    of maximum: Int
  ) async throws -> Int {
    for number in 0..<maximum {
      do {
        try await limit.count(user, isChange: isChange, ownLimit: { own }, subscriptions: { subscriptions })
      } catch let problem as HubProblem where problem.status == 429 {
        #expect(problem.retryAfter != nil)
        return number
      }
    }
    return maximum
  }

  @Test("The limit is a user's, and follows the number of subscriptions", arguments: [(0, 600), (1, 604), (800, 3800)])
  func limit(_ subscriptions: Int, _ maximum: Int) async throws {
    let limit = RequestLimit(shared: nil)
    #expect(try await passing(limit, subscriptions: subscriptions, of: 5000) == maximum)
    #expect(try await passing(limit, "bob", of: 5000) == 600)
  }

  @Test("What an administrator allows a user counts instead, from the next minute or once it is looked up again")
  func own() async throws {
    let limit = RequestLimit(shared: nil)
    #expect(try await passing(limit, subscriptions: 800, own: 70, of: 1000) == 70)
    #expect(try await passing(limit, own: 900, of: 10) == 0, "what was looked up counts for a minute")
    limit.forgetLimit(of: "ann")
    #expect(try await passing(limit, own: 900, of: 1000) == 830)
    #expect(try await passing(limit, "bob", of: 1000) == 600)
  }

  @Test("Requests that read leave all changes, and the other way round")
  func changes() async throws {
    let limit = RequestLimit(shared: nil)
    #expect(try await passing(limit, of: 1000) == 600)
    #expect(try await passing(limit, isChange: true, of: 1000) == 600)
    #expect(try await passing(limit, of: 10) == 0)
  }

  @Test("Subscriptions are counted only once the base is used up, and then once")
  func counting() async throws {
    let limit = RequestLimit(shared: nil)
    var counted = 0
    for number in 0..<1000 {
      try await limit.count("ann", isChange: false, ownLimit: { nil }) {
        #expect(number >= 600)
        counted += 1
        return 100
      }
    }
    #expect(counted == 1)
  }
}
