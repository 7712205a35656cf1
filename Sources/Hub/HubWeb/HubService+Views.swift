import App
import Core
import EventLog
import HubCore
import HubPage
import Library
import Messages
import Platform
import PollEngine
import ReadModel
import Terminal

extension HubService {
  /// The subscriptions.
  func channelsView(_ call: HubCall) throws -> RouteResponse {
    let given = call.query.filter { !$0.value.isEmpty && !PageNotice.parameters.contains($0.name) }
    let request = ChannelsRequest(try HubArguments(given, of: HubRoute.selection))
    let memory = try session.pollState()
    let rows = try request.rows(in: session, memory)
    func choice(_ label: String, _ name: String, _ value: String?) -> FeedView.Choice {
      let others = given.filter { $0.name != name } + (value.map { [(name, $0)] } ?? [])
      return FeedView.Choice(
        label, PagePath(["channels"], query: others), isChosen: given.first { $0.name == name }?.value == value)
    }
    let state = try session.state
    let texts = PollTexts(session)
    let orders: [(String, ChannelRow.Order?)] = [
      ("By title", nil), ("Most new", .unwatched), ("Newest video", .published), ("Most frequent", .habit),
      ("Worst health", .verdict),
    ]
    let tags = state.followedTags
    let bar = FilterBar(
      chips: FilterBar.Group("Order", orders.map { choice($0, "sort", $1?.rawValue) }),
      groups: [
        FilterBar.Group(
          "Tags", tags.isEmpty ? [] : [choice("All tags", "tag", nil)] + tags.map { choice($0, "tag", $0) }),
        FilterBar.Group("Health", [choice("All", "failing", nil), choice("Failing", "failing", "true")]),
      ], limits: nil, filters: HubService.channelFilters(given))
    let view = ChannelsView(
      rows: rows, unresolved: given.isEmpty ? state.unresolved.map(\.handle) : [], bar: bar,
      checked: texts.checked(state), outage: texts.outage(memory.pause))
    let frame = frame(call, .channels, "Channels", at: PagePath(["channels"], query: given))
    return PageProblem.document(frame, view.html(in: frame))
  }

  /// The filters in force of the subscriptions.
  private static func channelFilters(_ given: [(name: String, value: String)]) -> [FeedView.Choice] {
    given.filter { $0.name != "sort" }.map { filter in
      let rest = given.filter { $0 != filter }
      let text = filter.name == "tag" ? "tag \(filter.value)" : filter.name
      return FeedView.Choice(text, PagePath(["channels"], query: rest), isChosen: true)
    }
  }

  /// One subscription, or a channel with known videos.
  func channelView(_ call: HubCall) throws -> RouteResponse {
    guard let id = SubscriptionID(call.part("channel")) else { throw HubProblem(404, "There is no such channel.") }
    let query = try FeedQuery(call, path: ["channels", id.description], usual: usualMode)
    let page = try FeedPage(query, of: .channel(id), in: session)
    let state = try session.state
    let rows = try session.channelRows(session.pollState())
    let row = rows.first { $0.channel == id }
    guard row != nil || !page.list.rows.isEmpty || state.channels[id] != nil else {
      throw HubProblem(404, "Nothing is known of this channel.")
    }
    let known = state.channels[id].flatMap { $0.hasTitle ? $0.title : nil }
    let title = row?.title ?? known ?? page.list.rows.first?.channelTitle ?? id.description
    let view = ChannelView(
      id: id, row: row, chosenTitle: state.channels[id]?.chosenTitle, list: page.list, matching: page.matching,
      bar: page.bar(statuses: page.channelStatuses), hidden: page.hidden, knownTags: state.followedTags,
      older: row == nil ? nil : olderCost(id),
      speed: try speed(of: id))
    let frame = frame(call, .channel, title, at: query.link)
    return PageProblem.document(frame, view.html(in: frame))
  }

  /// One video.
  func videoView(_ call: HubCall) throws -> RouteResponse {
    guard let id = VideoID(call.part("video")) else { throw HubProblem(404, "That is not the ID of a video.") }
    let video = try session.video(id) ?? Video(id: id)
    let row = try session.rows([id], alsoUnseen: true).first ?? VideoRow(unseen: video, in: State(), at: session.now)
    let title = video.found == nil && video.knownTitle.isEmpty ? call.query.first { $0.name == "title" }?.value : nil
    let shared = title.flatMap { SharedTitle($0)?.text }
    let path = PagePath(["videos", id.description], query: shared.map { [("title", $0)] } ?? [])
    let report = try VideoReport(video, in: session)
    let state = try session.state
    // The options that show it are the terminal's.
    let decisions = report.decisions { reason in
      if case .rules(let rules) = reason { return "a rule hides it: \(RuleText(rules[0], in: state).videos)" }
      return UserMessages.cause(reason, in: state)
    }.compactMap(HubService.worded)
    let view = VideoView(
      row: row, description: try session.text(of: video.description), note: video.note,
      collections: video.collections, allCollections: try session.query { try $0.collections() }.keys.sorted(),
      decisions: decisions, otherList: HubService.otherList(of: video, report.reasons), facts: report.facts,
      history: report.history.map { ("", $0.text) },
      scheduled: video.enriched?.value.scheduled, sharedTitle: shared, isFollowed: state.isFollowed(video))
    let frame = frame(call, .video, row.shownTitle, at: path)
    return PageProblem.document(frame, view.html(in: frame))
  }

  /// The frame that plays the file of an entry.
  func playerView(_ call: HubCall) throws -> RouteResponse {
    let start = call.query.first { $0.name == "start" }.flatMap { Int($0.value) } ?? 0
    guard let id = VideoID(call.part("video")), let row = try session.rows([id], alsoUnseen: true).first,
      let frame = MediaFrame(of: row, from: max(0, start), below: call.page.base)
    else { throw HubProblem(404, "It has no file that can be played.") }
    var response = RouteResponse(200, PageProblem.type, frame.document)
    response.headers = frame.headers
    return response
  }

  /// A line of a report as the page labels it; nil for a rule, which the reasons name.
  private static func worded(_ line: VideoReport.Line) -> VideoView.Line? {
    guard line.label != "rule" else { return nil }
    let label = line.label == "listed" ? "in the feed" : line.label
    return (label.prefix(1).uppercased() + label.dropFirst(), line.text)
  }

  /// The list of its channel that shows a video whatever hides it from the feed; nil if nothing does.
  private static func otherList(of video: Video, _ reasons: [HidingReason]) -> PagePath? {
    guard !reasons.isEmpty, video.found != nil else { return nil }
    var query: [(name: String, value: String)] = []
    for reason in reasons {
      switch reason {
      case .status(let status): query.append(("status", status.rawValue))
      case .upcoming: query.append(("upcoming", "show"))
      case .short: query.append(("shorts", "show"))
      case .stream: query.append(("live", "true"))
      case .rules: query.append(("noRules", "true"))
      case .notFollowed, .removed, .unseen: break
      }
    }
    return PagePath(["channels", (video.source ?? .channel(video.channel)).description], query: query)
  }

  /// The saved videos.
  func savedView(_ call: HubCall) throws -> RouteResponse {
    let query = try FeedQuery(call, path: ["saved"], usual: usualMode)
    let page = try FeedPage(query, of: .saved, in: session)
    let frame = frame(call, .saved, "Saved", at: query.link)
    let view = PlainListView(
      list: page.list, summary: UserMessages.count(page.matching, "video"),
      empty: "Nothing saved. Saved videos stay here until you remove them, whatever becomes of them elsewhere.")
    return PageProblem.document(frame, view.html(in: frame))
  }

  /// All collections.
  func collectionsView(_ call: HubCall) throws -> RouteResponse {
    let rows = try CollectionRow.rows(in: session).enumerated().map { index, row in
      CollectionsView.Row(
        name: row.name, count: row.count, description: row.description,
        cover: index < HubService.maxCovers ? try cover(of: row.name) : [])
    }
    let frame = frame(call, .collections, "Collections", at: PagePath(["collections"]))
    return PageProblem.document(frame, CollectionsView(rows: rows).html(in: frame))
  }

  /// The number of collections with a cover.
  private static let maxCovers = 60

  /// The last videos that were added to a collection.
  private func cover(of name: String) throws -> [VideoID] {
    let members = try session.query { try name == NamedCollection.saved ? $0.saved() : $0.members(of: name) }
    return name == NamedCollection.saved ? Array(members.prefix(4)) : members.suffix(4).reversed()
  }

  /// One collection, in the order that its videos were added.
  func collectionView(_ call: HubCall) throws -> RouteResponse {
    let collection = try existingCollection(call)
    guard !collection.isSaved else { return PageProblem.redirect(to: PagePath(["saved"])) }
    let members = try collection.members(in: session)
    let path = PagePath(["collections", collection.name])
    let start = try offset(call, of: members.count)
    let rows = try session.rows(members.dropFirst(start).prefix(FeedQuery.size), alsoUnseen: true)
    let list = VideoList(
      rows, by: .none, next: next(path, start, of: members.count), cursor: "",
      token: session.library.position)
    let frame = frame(call, .collection, collection.name, at: path)
    let text = try session.query { try $0.collectionDescriptions() }[collection.name] ?? ""
    let view = CollectionView(name: collection.name, description: text, list: list, count: members.count)
    return PageProblem.document(frame, view.html(in: frame))
  }

  /// The videos watched.
  func historyView(_ call: HubCall) throws -> RouteResponse {
    let path = PagePath(["history"])
    let start = try offset(call, of: .max)
    let history = try session.query { try $0.history(since: nil, until: nil, limit: start + FeedQuery.size) }
    let shown = history.rows.dropFirst(start)
    let videos = try session.rows(shown.map(\.video), alsoUnseen: true)
    let rows = zip(shown, videos).map { WatchedRow(watched: $0.watched, row: $1) }
    let view = HistoryView(
      rows: rows, count: history.count, next: next(path, start, of: history.count),
      token: session.library.position)
    let frame = frame(call, .history, "History", at: path)
    return PageProblem.document(frame, view.html(in: frame))
  }

  /// How many rows of a list come before the page of a request.
  private func offset(_ call: HubCall, of count: Int) throws -> Int {
    guard let text = call.query.first(where: { $0.name == "cursor" })?.value else { return 0 }
    guard let number = Int(text), (0...1_000_000).contains(number), number < max(count, 1) else {
      throw HubProblem(400, "cursor: not one of this list")
    }
    return number
  }

  private func next(_ path: PagePath, _ start: Int, of count: Int) -> PagePath? {
    let end = start + FeedQuery.size
    return end < count ? path.adding("cursor", String(end)) : nil
  }

  // MARK: Status

  /// Recent polls, failures, gaps and the log.
  func statusView(_ call: HubCall) throws -> RouteResponse {
    let report = try StatusReport(session, runs: RecentRuns.maximum)
    let state = report.state
    let gaps = state.openGaps.map { _, gap in
      let title = state.channels[gap.subscription]?.title ?? gap.subscription.description
      return "\(title) may have published more between \(gap.after.local) and \(gap.before.local)."
    }
    let runs = state.runs.list.reversed().map { finished in
      let run = finished.value
      return StatusView.Run(
        ended: finished.id.timestamp, checked: run.checked, new: run.new, failed: run.failed, gaps: run.gaps,
        took: PlayingTime.text(seconds: run.milliseconds / 1000), end: run.stopped.map(UserMessages.stoppedWord) ?? "")
    }
    let view = StatusView(
      damage: try damage().map {
        "\(HubTrouble.text($0.damage)); the operator of the hub can repair it: \($0.remedy)"
      },
      outage: PollTexts(session).outage(report.pause),
      tiles: [
        StatusView.Tile(String(report.rows.count), "subscriptions", path: "/channels"),
        StatusView.Tile(String(report.unwatched), "new to you", path: "/"),
        StatusView.Tile(String(report.videoCount), "videos known", path: "/?status=all"),
        StatusView.Tile(String(report.failing.count), "failing feeds", path: "/channels?failing=true"),
      ],
      next: report.nextPoll, failing: report.failing, gaps: gaps, runs: runs, remarks: report.remarks)
    let frame = frame(call, .status, "Status", at: PagePath(["status"]))
    return PageProblem.document(frame, view.html(in: frame))
  }

  /// The tags of channels, for the settings.
  package func tags() throws -> [String] {
    try session.refresh()
    return try session.state.followedTags
  }

  /// The frame of a view that the server fills.
  package func frame(_ call: HubCall, _ view: PageView, _ title: String) -> PageFrame {
    frame(call, view, title, at: PagePath([view.rawValue]))
  }

  /// What another program shared: a video, or something to follow.
  func shareView(_ call: HubCall) throws -> RouteResponse {
    let given = ["url", "text", "title"].compactMap { name in call.query.first { $0.name == name }?.value }
    let words = given.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    // Most shared words name nothing: `Watch`, `this`.
    let video = words.lazy.filter { $0.contains("/") }.compactMap { try? VideoID(naming: $0) }.first
    if let video {
      let texts = ["title", "text"].compactMap { name in call.query.first { $0.name == name }?.value }
      let title = SharedTitle(in: texts).map { [(name: "title", value: $0.text)] }
      return PageProblem.redirect(to: PagePath(["videos", video.description], query: title ?? []))
    }
    let source = words.first { (try? ChannelReference($0)) != nil }
    let frame = frame(call, .channels, "Follow", at: PagePath(["channels"]))
    let text = source == nil ? "Nothing in it is a channel, a playlist or a video of YouTube." : "Follow this?"
    return PageProblem.document(frame, ShareView(source: source ?? "", text: text).html(in: frame))
  }
}

extension State {
  /// The tags of followed channels, sorted.
  var followedTags: [String] { Set(channels.values.lazy.filter(\.isFollowed).flatMap(\.tags)).sorted() }
}
