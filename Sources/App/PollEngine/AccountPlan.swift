import Core

/// What a synchronisation with an account is going to do.
package struct AccountPlan: Equatable, Sendable {
  /// Why nothing is unfollowed without a yes.
  package enum Doubt: String, Sendable {
    /// The list has no channel.
    case empty
    /// It has fewer channels than YouTube says there are.
    case cut
    /// Half of the channels that the account brought, or of those it had before, are not in it.
    case halved
  }

  /// The subscriptions that are new in the list.
  package var follow: [AccountListing.Entry]
  /// The channels that the account brought and that left the list, sorted.
  package var unfollow: [ChannelID]
  /// Nil if there is nothing to unfollow, or no doubt.
  package var doubt: Doubt?
  /// The channels that the account is seen to follow from now on. What a doubtful list lacks is not new when it comes back.
  package var listed: Set<ChannelID>

  /// `followed` are all channels followed now, `brought` those of them that the account brought.
  package init(
    _ listing: AccountListing, _ memory: AccountMemory, followed: Set<ChannelID>, brought: Set<ChannelID>
  ) {
    let (before, current) = (memory.listed ?? [], Set(listing.entries.map(\.id)))
    // What the person unfollowed here stays so, as long as it stays in the account's list.
    follow = listing.entries.filter { entry in
      !followed.contains(entry.id) && !before.contains(entry.id) && entry.id != listing.own
    }
    unfollow = brought.subtracting(current).sorted()
    let isCut = listing.missing > memory.tolerated
    let isHalved =
      !unfollow.isEmpty && unfollow.count * 2 >= brought.count || !before.isEmpty && current.count * 2 <= before.count
    let doubt: Doubt? = current.isEmpty ? .empty : isCut ? .cut : isHalved ? .halved : nil
    listed = doubt == nil ? current : current.union(before)
    self.doubt = unfollow.isEmpty ? nil : doubt
  }
}
