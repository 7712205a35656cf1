import Core
import Terminal

/// The subscriptions.
package struct ChannelsView: Sendable {
  package var rows: [ChannelRow]
  /// Followed handles whose channel is not known yet.
  package var unresolved: [String]
  package var bar: FilterBar
  /// When the feeds were checked last.
  package var checked: String
  /// Trouble with YouTube that lasts.
  package var outage: String?

  package init(
    rows: [ChannelRow], unresolved: [String], bar: FilterBar, checked: String, outage: String?
  ) {
    (self.rows, self.unresolved, self.bar) = (rows, unresolved, bar)
    (self.checked, self.outage) = (checked, outage)
  }

  package func html(in frame: PageFrame) -> HTML {
    let failing = rows.count { $0.isFailing }
    let hasAvatars = rows.contains { $0.avatar != nil }
    return #"""
      \#(outage.map(FeedView.banner))
      <div class="heading"><h1>Channels</h1><p class="summary">\#(rows.count) followed\#(#", <a href="/channels?failing=true">\#(failing) failing</a>"#, if: failing > 0)</p>\#(PollButton(frame: frame, text: checked).html)</div>
      \#(FollowForm(frame: frame, source: "").html)
      <div class="choices">\#(bar.html)</div>
      \#(bar.inForce)
      \#(waiting)
      <ul class="rows channels">
      \#(rows.map { line($0, frame, hasAvatars: hasAvatars) })</ul>
      \#(#"<p class="end">Nothing matches.</p>"#, if: rows.isEmpty && unresolved.isEmpty)
      """#
  }

  private var waiting: HTML {
    guard !unresolved.isEmpty else { return "" }
    let names: [HTML] = unresolved.map { "<li><bdi>\($0)</bdi></li>\n" }
    return
      #"<details class="aside"><summary>\#(unresolved.count) to be looked up at the next check</summary><ul>\#(names)</ul></details>"#
  }

  private func line(_ row: ChannelRow, _ frame: PageFrame, hasAvatars: Bool) -> HTML {
    let id = row.channel.description
    return #"""
      <li>\#(AvatarImage(url: row.avatar).html, if: hasAvatars)<div class="name"><a href="/channels/\#(id)" dir="auto">\#(row.title)</a><small>\#(ChannelFeedText(row: row, now: frame.now).line)</small></div>\#(tags(row))\#(#"<a class="badge" href="/?channel=\#(id)" aria-label="\#(row.unwatched) new">\#(row.unwatched)</a>"#, if: row.unwatched > 0)</li>

      """#
  }

  private func tags(_ row: ChannelRow) -> HTML {
    guard !row.tags.isEmpty else { return "" }
    let tags: [HTML] = row.tags.map { #"<bdi class="chip">\#($0)</bdi> "# }
    return #"<span class="tags">\#(tags)</span>"#
  }
}

/// A channel's picture; a blank circle if unknown.
struct AvatarImage {
  let url: String?

  var html: HTML {
    guard let url else { return #"<span class="avatar"></span>"# }
    return #"<img class="avatar" src="\#(url)" alt="" width="88" height="88" loading="lazy" decoding="async">"#
  }
}

/// What is known of a channel's feed, as text.
struct ChannelFeedText {
  let row: ChannelRow
  let now: LocalTime

  /// `about 2 a week · newest 3 d ago · failing since …`.
  var line: HTML {
    let parts = [habit, newest.map { #"<span class="unbroken">\#($0)</span>"# as HTML }, health].compactMap(\.self)
    return HTML(parts.enumerated().map { $0.offset == 0 ? $0.element : " · \($0.element)" as HTML })
  }

  private var habit: HTML? { rate.map { "\($0)" } }

  /// How often it publishes: `about 2 a week`.
  var rate: String? {
    guard let interval = row.interval, interval > 0 else { return nil }
    func about(_ count: Int64, _ unit: String) -> String { "about \(max(1, count)) a \(unit)" }
    switch interval {
    case ..<72_000: return about((86_400 + interval / 2) / interval, "day")
    case ..<500_000: return about((604_800 + interval / 2) / interval, "week")
    case ..<2_300_000: return about((2_629_800 + interval / 2) / interval, "month")
    default: return about((31_557_600 + interval / 2) / interval, "year")
    }
  }

  var newest: String? { row.lastPublished.map { "newest \($0.short(at: now))" } }

  /// The health of its feed with the evidence.
  var health: HTML? {
    let since = row.failingSince.map { " since \(now.long($0))" } ?? ""
    let outcome = "\(row.lastOutcome ?? "no response"), \(row.failures) time\(row.failures == 1 ? "" : "s")\(since)"
    switch row.verdict {
    case .well: return nil
    case .unknown: return "not checked yet"
    case .failing: return #"<span class="bad-text">failing: \#(outcome)</span>"#
    case .gone: return #"<span class="bad-text">gone: \#(outcome)</span>"#
    }
  }
}

/// Follows by address or handle, and shows choices for a name.
struct FollowForm {
  let frame: PageFrame
  let source: String
  var tag = ""
  var seenBefore = ""
  /// Whether it has no options.
  var isShort = false

  var html: HTML {
    #"""
    <form class="follow aside" method="post" action="/follow"><input type="hidden" name="back" value="\#(frame.path.description)">
    <label for="source">Follow a channel or playlist</label>
    <div class="inline"><input id="source" name="source" required value="\#(source)" placeholder="Name, @handle, address or ID" autocomplete="off" autocapitalize="none" spellcheck="false"><button class="main">\#(Icon.add)Follow</button></div>
    \#(isShort ? HTML() : options)</form>
    """#
  }

  private var options: HTML {
    #"""
    <details\#(" open", if: !tag.isEmpty || !seenBefore.isEmpty)><summary>Options</summary><div class="fields">\#(Fields.text("tag", "Tags", value: tag, hint: "Separated by commas."))\#(Fields.text("seenBefore", "Mark as watched what is older than", value: seenBefore, hint: nil, placeholder: "30d"))</div></details>
    """#
  }
}

/// One subscription with its videos, or a channel that is not followed.
package struct ChannelView: Sendable {
  package var id: SubscriptionID
  /// Its settings and health; nil if it is not followed.
  package var row: ChannelRow?
  /// The title that the person gave; nil if none.
  package var chosenTitle: String?
  package var list: VideoList
  package var matching: Int
  package var bar: FilterBar
  package var hidden: [FeedView.Choice]
  package var knownTags: [String]
  /// What older videos cost; nil if they cannot be had.
  package var older: String?
  /// The playback speed of its videos, if it has its own, and the one of all.
  package var speed: (own: String?, usual: String)

  package init(
    id: SubscriptionID, row: ChannelRow?, chosenTitle: String?, list: VideoList, matching: Int,
    bar: FilterBar, hidden: [FeedView.Choice], knownTags: [String], older: String?,
    speed: (own: String?, usual: String)
  ) {
    (self.id, self.row, self.chosenTitle, self.list) = (id, row, chosenTitle, list)
    (self.matching, self.bar) = (matching, bar)
    (self.hidden, self.knownTags, self.older, self.speed) = (hidden, knownTags, older, speed)
  }

  /// The link to its page, if it has one.
  private var outside: HTML {
    if id.isYouTube { return #"<a href="\#(id.url)" rel="noreferrer">On YouTube</a>"# }
    return row.flatMap { $0.url.isEmpty ? nil : #"<a href="\#($0.url)" rel="noreferrer">Its site</a>"# as HTML } ?? ""
  }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <div class="heading">\#(row?.avatar.map { AvatarImage(url: $0).html })<h1 dir="auto">\#(frame.title)</h1><p class="summary">\#(matching) video\#("s", if: matching != 1)</p></div>
    <p class="meta">\#(row.map { health($0, frame) })\#(outside)</p>
    \#(row.map { settings($0, frame) } ?? notFollowed(frame))
    <div class="choices">\#(bar.html)</div>
    \#(bar.inForce)
    \#(list.html(in: frame))
    \#(#"<p class="end">\#(end)</p>"#, if: list.next == nil)
    \#(FeedView.hiddenLine(hidden))
    \#(older.map { olderForm($0, frame) })
    \#(list.markAll(in: frame))
    """#
  }

  /// What the end of the list says.
  private var end: String {
    guard list.rows.isEmpty else { return "That is all that is known here." }
    return hidden.isEmpty || !bar.filters.isEmpty ? "Nothing matches." : "Everything known of this channel is hidden."
  }

  private func health(_ row: ChannelRow, _ frame: PageFrame) -> HTML {
    let line = ChannelFeedText(row: row, now: frame.now).line
    let checked = row.lastChecked.map { "checked \($0.short(at: frame.now))" }
    let subscribers = row.subscribersShort.map { "\($0) subscribers" }
    let details: [HTML] = [checked, subscribers].compactMap(\.self).map { "<span>\($0)</span> " }
    return "\(line.isEmpty ? HTML() : "<span>\(line)</span> ")\(details)"
  }

  private func notFollowed(_ frame: PageFrame) -> HTML {
    #"""
    <form class="aside field" method="post" action="/follow"><input type="hidden" name="source" value="\#(id.description)"><input type="hidden" name="back" value="\#(frame.path.description)"><p class="field">You do not follow this channel.</p><p><button class="main">\#(Icon.add)Follow</button></p></form>
    """#
  }

  private func olderForm(_ cost: String, _ frame: PageFrame) -> HTML {
    #"""
    <form class="all" method="post" action="/channels/\#(id.description)"><input type="hidden" name="back" value="\#(frame.path.description)"><button name="action" value="older">Find older videos</button> <small class="hint">\#(cost)</small></form>
    """#
  }

  private func settings(_ row: ChannelRow, _ frame: PageFrame) -> HTML {
    let feeds: [(String, String)] = [
      ("channel", "all kinds (channel)"), ("uploads", "all kinds (uploads)"), ("videos", "long videos"),
      ("shorts", "Shorts"), ("live", "streams"),
    ]
    let feed =
      id.channel == nil
      ? HTML()
      : Fields.select(
        "feed", "Feed to check", feeds, chosen: row.feed.rawValue, hint: "A feed has the 15 newest entries.")
    let order = [("newest", "newest first"), ("oldest", "oldest first, for a series")]
    return #"""
      <details class="aside field"><summary>Settings</summary>
      <form method="post" action="/channels/\#(id.description)"><input type="hidden" name="back" value="\#(frame.path.description)">
      <div class="fields">
      \#(Fields.text("title", "Title", value: chosenTitle ?? "", hint: "Empty: the channel’s own."))
      \#(Fields.text("tags", "Tags", value: row.tags.joined(separator: ", "), hint: Fields.known(knownTags)))
      \#(Fields.select("shorts", "Its Shorts", [("hide", "hide"), ("show", "show")], chosen: row.shorts.rawValue, hint: nil))
      \#(Fields.select("live", "Its streams", [("show", "show"), ("hide", "hide")], chosen: row.live.rawValue, hint: nil))
      \#(Fields.select("order", "Order of its list", order, chosen: row.order.rawValue, hint: nil))
      \#(Fields.text("speed", "Playback speed", value: speed.own ?? "", hint: "0.25 to 4; leave empty for the general speed, \(speed.usual)."))
      \#(feed)
      </div>
      <div class="buttons"><button class="main" name="action" value="set">Save settings</button><button class="bad" name="action" value="unfollow">Unfollow</button></div>
      </form></details>
      """#
  }
}

/// Fields of forms with their labels.
enum Fields {
  static func text(
    _ name: String, _ label: String, value: String, hint: String?, placeholder: String = "", isRequired: Bool = false
  ) -> HTML {
    #"""
    <div class="field"><label for="f-\#(name)">\#(label)</label><input id="f-\#(name)" name="\#(name)" value="\#(value)"\#(#" placeholder="\#(placeholder)""#, if: !placeholder.isEmpty)\#(" required", if: isRequired) dir="auto" autocomplete="off"\#(#" aria-describedby="h-\#(name)""#, if: hint != nil)>\#(small(name, hint))</div>
    """#
  }

  static func select(_ name: String, _ label: String, _ options: [(String, String)], chosen: String, hint: String?)
    -> HTML
  {
    let options: [HTML] = options.map { value, label in
      #"<option value="\#(value)"\#(" selected", if: value == chosen)>\#(label)</option>"#
    }
    return #"""
      <div class="field"><label for="f-\#(name)">\#(label)</label><select id="f-\#(name)" name="\#(name)"\#(#" aria-describedby="h-\#(name)""#, if: hint != nil)>\#(options)</select>\#(small(name, hint))</div>
      """#
  }

  private static func small(_ name: String, _ hint: String?) -> HTML {
    hint.map { #"<small id="h-\#(name)">\#($0)</small>"# } ?? ""
  }

  /// A hint with the tags there are.
  static func known(_ tags: [String]) -> String {
    tags.isEmpty ? "Separated by commas." : "Separated by commas; known: \(tags.prefix(12).joined(separator: ", "))."
  }
}
