import App
import Core
import EventLog
import HubStore
import Library
import ReadModel

/// The numbers of one user's videos, channels, tags and collections, assigned as the logs grow.
package final class NumberedThings {
  private let open: () throws -> NumberStore
  private var opened: NumberStore?
  /// The ends of the logs when everything was last numbered.
  private var extent: [Int: UInt64] = [:]
  /// Their ends when the MeTube app's sequence had everything that the user could see; nil if unknown.
  package var extentOfSequence: [Int: UInt64]?
  /// The numbers that a request has read, since a page names the same channels and tags again and again.
  private var known: [Thing: Int] = [:]

  /// The names whose numbers their channels were given, if these had none.
  private var inherited: Set<String> = []
  /// The subscriptions and tags that were given numbers already, so that only new ones are looked for.
  private var (subscriptions, tags): (Set<SubscriptionID>, Set<String>) = ([], [])

  private struct Thing: Hashable {
    var kind: NumberStore.Kind
    var key: String
  }

  /// `open` opens the numbers when they are needed.
  init(open: @escaping () throws -> NumberStore) { self.open = open }

  var store: NumberStore {
    get throws {
      if let opened { return opened }
      let store = try open()
      opened = store
      return store
    }
  }

  /// Begins a request: numbers whatever is new since the last call, what was found or followed first before the others.
  package func take(_ session: Session) throws {
    known = [:]
    let extent = session.library.extent
    guard extent != self.extent else { return }
    let tables = try Session.reporting { try store.name(of: session.library.model.name) }
    let known = try tables.map { tables in try Session.reporting { try store.row(in: tables) } } ?? 0
    let (videos, row) = try session.query { try $0.arrived(after: known) }
    let state = try session.state
    let new = newSubscriptions(in: state)
    let names = state.handles.values.compactMap { handle in
      handle.subscription.map { (from: handle.handle, to: $0.description) }
    }
    try Session.reporting {
      try store.inherit(.channel, names.filter { !inherited.contains($0.from) }.sorted { $0.from < $1.from })
      inherited.formUnion(names.map(\.from))
      _ = try store.numbers(.video, videos.map(\.description))
      _ = try store.numbers(.channel, new.channels.map(\.description))
      _ = try store.numbers(.tag, new.tags)
      _ = try store.numbers(.collection, CollectionRow.rows(in: session).map(\.name))
      if let tables, row != known { try store.set(row: row, in: tables) }
    }
    self.extent = extent
    subscriptions.formUnion(new.channels)
    tags.formUnion(new.tags)
  }

  /// The subscriptions and tags that may be without numbers, those of what was followed first before the others.
  private func newSubscriptions(in state: State) -> (channels: [SubscriptionID], tags: [String]) {
    let new = state.channels.values.filter { channel in
      channel.isFollowed && !(subscriptions.contains(channel.id) && channel.tags.allSatisfy(tags.contains))
    }.sorted {
      guard let one = $0.followChanged, let other = $1.followChanged, one != other else { return $0.id < $1.id }
      return one < other
    }
    return (
      new.map(\.id).filter { !subscriptions.contains($0) }, new.flatMap(\.tags).filter { !tags.contains($0) }
    )
  }

  /// Gives the number of a key to another one; see `NumberStore.move`.
  package func move(_ kind: NumberStore.Kind, from key: String, to other: String?) throws {
    try Session.reporting { try store.move(kind, from: key, to: other) }
    (known, subscriptions, tags) = ([:], [], [])
  }

  package func callAsFunction(_ kind: NumberStore.Kind, _ keys: [String]) throws -> [Int] {
    let things = keys.map { Thing(kind: kind, key: $0) }
    let unknown = things.filter { known[$0] == nil }
    if !unknown.isEmpty {
      let numbers = try Session.reporting { try store.numbers(kind, unknown.map(\.key)) }
      for (thing, number) in zip(unknown, numbers) { known[thing] = number }
    }
    return things.compactMap { known[$0] }
  }

  /// The keys with numbers between two others; see `NumberStore.page`.
  package func page(
    _ kind: NumberStore.Kind, _ range: (above: Int, below: Int), descending: Bool, limit: Int
  ) throws -> [(number: Int, key: String)] {
    try Session.reporting { try store.page(kind, range, descending: descending, limit: limit) }
  }

  /// The keys of these numbers, in the same order; nil for a number of another kind or an unassigned one.
  package func keys(_ kind: NumberStore.Kind, _ numbers: [Int]) throws -> [String?] {
    try Session.reporting { try store.keys(kind, numbers) }
  }
}
