import Core

/// The subscriptions that a command line names: by id or address, or by title.
struct ChannelNames {
  private let channels: [Channel]

  init(_ state: State) { channels = state.followed }

  /// The followed subscription with this id, address, title or unmistakable part of a title.
  func resolve(_ name: String) throws -> SubscriptionID {
    if let reference = try? ChannelReference(name), case .subscription(let id, _) = reference {  // Else it is a title.
      guard channels.contains(where: { $0.id == id }) else {
        throw Failure(.inPart, "\(name): not followed; see metube-rss channels")
      }
      return id
    }
    let wanted = name.lowercased()
    let exact = channels.filter { $0.title.lowercased() == wanted }
    if exact.count == 1 { return exact[0].id }
    let partial = channels.filter { $0.title.lowercased().contains(wanted) }
    if exact.isEmpty, partial.count == 1 { return partial[0].id }
    let candidates = exact.isEmpty ? partial : exact
    guard !candidates.isEmpty else { throw Failure(.inPart, "\(name): no such channel; see metube-rss channels") }
    let list = candidates.prefix(5).map { "\($0.id) \($0.title)" }.joined(separator: ", ")
    throw Failure(.inPart, "\(name): \(candidates.count) channels match; name one by its id: \(list)")
  }
}
