import Core
import ReadModel
import Terminal

/// The subscriptions.
package struct ChannelsRequest: Equatable, Sendable {
  /// Any of them.
  var tag: [String] = []
  /// Only channels whose feed fails.
  var failing = false
  /// Only channels confirmed dead over several days.
  var dead = false
  var sort = ChannelRow.Order.title

  package init(tag: [String] = [], failing: Bool = false, dead: Bool = false, sort: ChannelRow.Order = .title) {
    (self.tag, self.failing, self.dead, self.sort) = (tag, failing, dead, sort)
  }

  /// The rows that the request selects, in its order.
  package func rows(in session: Session, _ memory: PollState) throws -> [ChannelRow] {
    var rows = ChannelRow.byTitle(try session.channelRows(memory))
    if !tag.isEmpty {
      let tags = try Set(tag.flatMap(TagNames(session.state).spelt))
      rows.removeAll { tags.isDisjoint(with: $0.tags) }
    }
    if dead { rows.removeAll { $0.verdict != .gone } }
    if failing { rows.removeAll { !$0.isFailing } }
    return ChannelRow.sorted(rows, by: sort)
  }
}

extension Session {
  /// One row for each subscription, in no order; videos hidden by rules do not count as new.
  package func channelRows(_ memory: PollState) throws -> [ChannelRow] {
    let counts = try query { try $0.channelCounts(at: now) }
    return ChannelRow.rows(in: try state, memory: memory, counts: counts)
  }
}
