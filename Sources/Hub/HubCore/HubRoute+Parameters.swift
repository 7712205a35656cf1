import Core
import Exporters

extension HubParameter {
  /// The filters of `list`.
  package static let filters: [HubParameter] = [
    HubParameter("channel", .text, "Only this channel, by ID, address, handle or title.", isRepeated: true),
    HubParameter("tag", .text, "Only channels with this tag.", isRepeated: true),
    HubParameter("search", .text, "Only with every word in the title, channel or description."),
    HubParameter("since", .text, "Only published since: `3d`, `12h`, `2026-11-01`."),
    HubParameter("until", .text, "Only published before: `3d`, `12h`, `2026-11-01`."),
    HubParameter(
      "shorts", .choice(visibilities), "Shorts; by default as set for the channel, else as preferred, else hidden."),
    HubParameter("upcoming", .choice(visibilities), "Known upcoming videos; hidden by default."),
    HubParameter("saved", .flag, "Only saved videos, including Shorts and videos hidden by rules."),
    HubParameter("started", .flag, "Only videos that were begun, the last played first; not the watched ones."),
    HubParameter("live", .flag, "Only known streams and premieres."),
    HubParameter("minDuration", .text, "Only with a known length of at least: `90s`, `10m`, `1:30:00`."),
    HubParameter("maxDuration", .text, "Only with a known length of at most: `10m`."),
    HubParameter("noRules", .flag, "Also videos hidden by rules."),
    HubParameter(
      "platform", .choice(VideoPlatform.allCases.map(\.rawValue)),
      "Only from this platform; `podcast` and `web` are what is of no known site."),
    HubParameter("kind", .choice(MediaKind.allCases.map(\.rawValue)), "Only this kind.", isRepeated: true),
    HubParameter("status", .choice(HubSchema.statuses), "Only this status; `new` by default.", isRepeated: true),
    HubParameter("all", .flag, "Also unfollowed channels, and every status unless one is given."),
  ]

  private static let visibilities = VideoQuery.Visibility.allCases.map(\.rawValue)

  /// The number of videos in one response.
  package static let limit = HubParameter("limit", .integer(1...500), "How many at most.")
}

/// The parameters of requests that the page sends too.
extension HubRoute {
  /// Those of a list of videos.
  package static let listing: [HubParameter] =
    HubParameter.filters + [
      HubParameter.limit,
      HubParameter(
        "sort", .choice(VideoQuery.Order.allCases.map(\.rawValue)), "The time to sort by; by default as preferred."),
      HubParameter("oldest", .flag, "Oldest first."),
      HubParameter("newest", .flag, "Newest first, even for a channel whose order is set to oldest."),
      HubParameter("catchUp", .flag, "Channel by channel, each oldest first."),
      HubParameter("mix", .flag, "One video from each channel in turn."),
      HubParameter("after", .text, "Continue after this cursor, the `next` of the page before."),
    ]

  /// Those of a rule.
  package static let conditions: [HubParameter] = [
    HubParameter("verdict", .choice(["block", "allow"]), "block hides, allow overrides block.", isRequired: true),
    HubParameter("contains", .text, "The text contains every one of these words."),
    HubParameter("matches", .text, "The pattern matches the text."),
    HubParameter("in", .choice(["title", "description"]), "The text to check; either by default."),
    HubParameter("minDuration", .text, "Known duration is at least this: `90s`, `10m`."),
    HubParameter("maxDuration", .text, "Known duration is at most this."),
    HubParameter("short", .flag, "A confirmed Short, or not one."),
    HubParameter("live", .flag, "A confirmed stream or premiere, or not one."),
    HubParameter("olderThan", .text, "Published longer ago than this: `90d`."),
    HubParameter("tag", .text, "Only channels with this tag."),
    HubParameter("channel", .text, "Only this channel."),
  ]

  /// Those of a channel that can be set.
  package static let settings: [HubParameter] = [
    HubParameter("title", .text, "The title to show; empty restores the original."),
    HubParameter("tag", .text, "A tag to add.", isRepeated: true),
    HubParameter("untag", .text, "A tag to remove.", isRepeated: true),
    HubParameter("feed", .choice(["channel", "uploads", "videos", "shorts", "live"]), "The feed to poll."),
    HubParameter("shorts", .choice(ListVisibility.allCases.map(\.rawValue)), "Show or hide its Shorts in lists."),
    HubParameter("live", .choice(ListVisibility.allCases.map(\.rawValue)), "Show or hide its streams in lists."),
    HubParameter("order", .choice(ListOrder.allCases.map(\.rawValue)), "The order of its own list."),
  ]

  /// Those that select subscriptions.
  package static let selection: [HubParameter] = [
    HubParameter("tag", .text, "Only with this tag.", isRepeated: true),
    HubParameter("failing", .flag, "Only channels whose feed fails."),
    HubParameter("dead", .flag, "Only channels confirmed dead over several days."),
    HubParameter("sort", .choice(ChannelRow.Order.allCases.map(\.rawValue)), "The order; by title by default."),
  ]

  /// Those of an import.
  package static let importing: [HubParameter] = [
    HubParameter("name", .text, "The name of the file, which a collection without a title gets."),
    HubParameter("tag", .text, "A tag to add to imported subscriptions.", isRepeated: true),
    HubParameter("seenBefore", .text, "Mark videos published before this as watched."),
    HubParameter("onlyNew", .flag, "Keep the tags of channels already followed."),
    HubParameter("allHistory", .flag, "Also mark watched videos of channels not followed."),
    HubParameter("dryRun", .flag, "Only say what would be done."),
  ]
}
