import Testing

@testable import HubLimits
@testable import metube_hub

@Suite("Connections that make room")
struct ConnectionTableTests {
  private var table = ConnectionTable<Int>(maximum: 4)

  /// Adds a connection that has sent the head of a request.
  private mutating func begin(_ id: Int, from address: String?, user: String? = nil) -> Int? {
    let closed = table.add(id, from: address)
    table.set(id, .sending)
    table.set(id, sender: user.map { .user($0) } ?? .stranger)
    return closed
  }

  @Test("The oldest of the address that holds most goes, without a request or with an unfinished body")
  mutating func greediest() {
    #expect(table.add(1, from: "192.0.2.1") == nil)
    #expect(begin(2, from: "198.51.100.1") == nil)
    #expect(begin(3, from: "198.51.100.1") == nil)
    #expect(table.add(4, from: "198.51.100.1") == nil)
    #expect(table.add(5, from: "203.0.113.1") == 2)
    #expect(table.add(6, from: "203.0.113.2") == 3)
    // All hold one: the oldest of all.
    #expect(table.add(7, from: "203.0.113.3") == 1)
    #expect(table.count == 4)
  }

  @Test("Who waits for a response or sends as a user stays while strangers can go")
  mutating func users() {
    #expect(begin(1, from: "192.0.2.1", user: "ann") == nil)
    #expect(begin(2, from: "192.0.2.1", user: "eve") == nil)
    table.set(2, .answered)
    #expect(begin(3, from: "192.0.2.1", user: "ann") == nil)
    #expect(table.add(4, from: "198.51.100.1") == nil)
    #expect(table.add(5, from: "198.51.100.2") == 4)
    table.set(5, .sending)
    table.set(5, sender: .user("bob"))
    // Now only users can go: the oldest of the one who holds most.
    #expect(table.add(6, from: "198.51.100.3") == 1)
    table.set(6, .answered)
    #expect(table.add(7, from: "198.51.100.3") == 3)
  }

  @Test("No connection with a pending request goes; then the new one does")
  mutating func answered() {
    for id in 1...4 {
      _ = table.add(id, from: "192.0.2.1")
      table.set(id, .answered)
    }
    #expect(table.add(5, from: "192.0.2.2") == 5)
    // An event stream goes, as a user's.
    table.set(3, sender: .user("ann"))
    table.set(3, .listening)
    #expect(table.add(6, from: "192.0.2.2") == 3)
  }

  @Test("A user with all connections makes room for a new one: first a long response, then any")
  mutating func downloads() {
    table = ConnectionTable(maximum: 700)
    for id in 1...700 {
      _ = begin(id, from: "192.0.2.\(id % 200)", user: "ann")
      table.set(id, .answered)
    }
    table.set(300, .downloading)
    table.set(200, .downloading)
    #expect(begin(701, from: "198.51.100.1", user: "bob") == 300)
    table.set(701, .answered)
    #expect(table.add(702, from: "198.51.100.2") == 200)
    table.set(702, sender: .user("eve"))
    table.set(702, .downloading)
    // Eve's only connection stays, although Ann's requests wait for their responses.
    #expect(table.add(703, from: "198.51.100.3") == 1)
    #expect(table.count == 700)
  }

  @Test("The only connection of each user stays while it waits for its response; a long response is closed")
  mutating func oneOfEach() {
    for (id, user) in zip(1...4, ["ann", "bob", "eve", "dan"]) {
      _ = begin(id, from: "192.0.2.\(id)", user: user)
      table.set(id, .answered)
    }
    #expect(table.add(5, from: "198.51.100.1") == 5)
    table.set(3, .downloading)
    #expect(table.add(6, from: "198.51.100.1") == 3)
  }

  @Test("A request without credentials goes before anything of a user")
  mutating func strangersFirst() {
    _ = begin(1, from: "192.0.2.1", user: "ann")
    _ = begin(2, from: "192.0.2.2")
    _ = begin(3, from: "192.0.2.3")
    _ = begin(4, from: "192.0.2.3")
    for id in 2...4 { table.set(id, .answered) }
    table.set(4, .downloading)
    #expect(begin(5, from: "198.51.100.1", user: "bob") == 3)
    #expect(begin(6, from: "198.51.100.1", user: "bob") == 2)
    #expect(begin(7, from: "198.51.100.1", user: "bob") == 4)
    // Then the user with most.
    #expect(table.add(8, from: "198.51.100.2") == 5)
  }

  @Test("Connections of a proxy count as those of its clients")
  mutating func proxies() {
    for id in 1...2 {
      _ = begin(id, from: nil)
      table.set(id, client: "192.0.2.\(id)")
    }
    _ = begin(3, from: nil)
    table.set(3, client: "192.0.2.2")
    _ = table.add(4, from: nil)
    #expect(table.add(5, from: "198.51.100.1") == 2)
    // Between requests a proxy's connection belongs to no user.
    table.set(3, .idle)
    #expect(table.add(6, from: "198.51.100.2") == 1)
  }

  @Test("A body for a route that needs no login is a stranger's until it is complete")
  mutating func strangers() {
    _ = table.add(1, from: "192.0.2.1")
    table.set(1, .sending)
    #expect(!table.isSendingAsStranger(1))
    table.set(1, sender: .stranger)
    #expect(table.isSendingAsStranger(1))
    table.set(1, .answered)
    #expect(!table.isSendingAsStranger(1) && !table.isSendingAsStranger(2))
  }

  @Test("Connections leave descriptors for the rest, or the hub does not start")
  func descriptors() {
    #expect(DescriptorLimit.connections(with: 65_536, toDatabase: 100) == 700)
    #expect(DescriptorLimit.connections(with: 1024, toDatabase: 8) == 700)
    #expect(DescriptorLimit.connections(with: 600, toDatabase: 0) == 300)
    #expect(DescriptorLimit.connections(with: 499, toDatabase: 0) == nil)
    #expect(DescriptorLimit.connections(with: 0, toDatabase: 0) == nil)
  }
}
