import HubStore
import SQLDrivers
import Testing

/// The same promises wherever subscriptions at WebSub hubs are kept.
struct PushStoreTests {
  @Test("subscriptions are kept as changed, and found by their callback", arguments: Engine.tested)
  func changes(_ engine: Engine) throws {
    let database = try HubDatabase(engine)
    let store = try database.pushes()
    for channel in ["UCb", "UCa", "UCb"] { try store.add(channel, hub: "https://hub.example", topic: channel) }
    #expect(try store.all().map(\.channel) == ["UCa", "UCb"])
    let first = try #require(try store.all().first)
    let changed = try store.change(first.callback) { push in
      push.noteSent(.subscribe, at: 1000)
      push.noteSubscribed(for: 3600, at: 1001)
      push.pushed = 1002
    }
    #expect(try store.subscription(callback: first.callback) == changed)
    #expect(changed?.lease?.end == 4601)
    #expect(try store.change("unknown") { $0.pushed = 1 } == nil)
    try store.remove(first)
    #expect(try store.all().map(\.channel) == ["UCb"])
    withExtendedLifetime(database) {}
  }

  @Test("changes made at once are all kept", arguments: Engine.tested)
  func changesAtOnce(_ engine: Engine) async throws {
    let database = try HubDatabase(engine)
    let store = try database.pushes()
    try store.add("UCa", hub: "https://hub.example", topic: "UCa")
    let callback = try #require(try store.all().first?.callback)
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 {
        let own = Alone(try database.pushes())
        group.addTask { for _ in 0..<20 { _ = try own.store.change(callback) { $0.failures += 1 } } }
      }
      try await group.waitForAll()
    }
    #expect(try store.subscription(callback: callback)?.failures == 60)
  }

  @Test("a request is begun once, however many look at it at once", arguments: Engine.tested)
  func begun(_ engine: Engine) async throws {
    let database = try HubDatabase(engine)
    let store = try database.pushes()
    try store.add("UCa", hub: "https://hub.example", topic: "UCa")
    let callback = try #require(try store.all().first?.callback)
    let count = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        let own = Alone(try database.pushes())
        group.addTask { try own.store.begin(.subscribe, of: callback, isWanted: true) }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(count == 1)
    #expect(try store.subscription(callback: callback)?.pending == .subscribe)
    #expect(try !store.begin(.unsubscribe, of: callback, isWanted: true))
    #expect(try !store.begin(.subscribe, of: "unknown", isWanted: true))
  }
}
