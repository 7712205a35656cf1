import App
import Core
import EventLog
import HubCore
import HubPage
import JSON
import Library
import Messages
import Platform
import ReadModel

extension HubCall {
  /// A field of the form; nil if it is absent.
  func field(_ name: String) -> String? { form.first { $0.name == name }?.value }

  /// A field of the form that is not empty.
  func filled(_ name: String) -> String? { field(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// Where the form returns to.
  package func back(_ fallback: PagePath) -> PagePath { field("back").flatMap { PagePath(local: $0) } ?? fallback }
}

/// Forms work without script: each leads to the request of a use case that a script or a program would send.
extension HubService {
  private static let home = PagePath([])

  /// The redirect after a form that changed something, with the action that undoes it.
  func done(_ call: HubCall, changed: Int?, fallback: PagePath = HubService.home) throws -> RouteResponse {
    let back = call.back(fallback)
    guard changed != 0, let action = try UndoPlan.lastAction(session) else {
      return PageProblem.redirect(to: back.adding("done", "none"))
    }
    return PageProblem.redirect(to: back.adding("done", action.description))
  }

  /// Marks videos: `action` with `until`, `note` or `collection`.
  func markForm(_ call: HubCall) throws -> RouteResponse {
    if call.filled("all") != nil { return try markAll(call) }
    let videos = call.form.filter { $0.name == "video" }.map(\.value)
    guard !videos.isEmpty else { throw HubProblem(400, "Select videos first.") }
    guard videos.count <= HubService.maxMarks else {
      throw HubProblem(400, "Select at most \(HubService.maxMarks) videos at once.")
    }
    var mark = try mark(call)
    if videos.count == 1 { mark.title = call.filled("title").flatMap { SharedTitle($0)?.text } }
    let marks = try videos.map { text in
      guard let video = VideoID(text) else { throw HubProblem(400, "That is not the ID of a video.") }
      return MarkRequest(video: video, mark: mark)
    }
    let events = try session.mark(MarkRequest.merged(marks))
    return try done(call, changed: events.count)
  }

  /// Marks every new video of the list in the address as watched, in one action.
  private func markAll(_ call: HubCall) throws -> RouteResponse {
    let feed = try FeedQuery(call, path: [], usual: usualMode)
    let videos = try FeedPage.all(feed, in: session)
    let events = try session.commit {
      try videos.compactMap { id in
        guard let video = try session.video(id), video.status(at: session.now) == .new else { return nil }
        return try Mark(status: .watched).bodies(for: video, at: session.now).first
      }
    }
    return try done(call, changed: events.count)
  }

  /// The mark that a form's action means.
  private func mark(_ call: HubCall) throws -> Mark {
    func membership(_ isMember: Bool) throws -> Mark {
      guard let name = call.filled("collection") else { throw HubProblem(400, "Name the collection.") }
      let collection = try NamedCollection(name, in: session)
      return Mark(memberships: [Mark.Membership(collection: collection, isMember: isMember)])
    }
    switch call.field("action") {
    case "watched": return Mark(status: .watched)
    case "new": return Mark(status: .new)
    case "skip": return Mark(status: .skipped)
    case "snooze":
      let text = call.filled("date") ?? call.filled("until") ?? "tomorrow"
      return Mark(status: .snoozed, until: try TimeArgument(text, after: session.now, .snooze).time)
    case "save": return Mark(saved: true)
    case "unsave": return Mark(saved: false)
    case "note":
      // A form sends line breaks as CR and LF.
      let note = (call.field("note") ?? "").split(separator: "\r\n", omittingEmptySubsequences: false)
      return Mark(note: note.joined(separator: "\n"))
    case "progress":
      let seconds = try call.filled("position").map { try DurationArgument($0, .position).seconds } ?? 0
      guard seconds <= Mark.maxPosition else { throw HubProblem(400, "position: longer than a month") }
      return Mark(progress: seconds)
    case "collect": return try membership(true)
    case "uncollect": return try membership(false)
    default: throw HubProblem(400, "action: not one of the page")
    }
  }

  /// The last actions of this device that can be undone.
  func undoView(_ call: HubCall) throws -> RouteResponse {
    let frame = frame(call, .undo, "Undo", at: PagePath(["undo"]))
    guard let device = session.library.device else {
      return PageProblem.document(frame, UndoListView(rows: []).html(in: frame))
    }
    let undone = try session.query { try $0.undone() }
    let actions = try session.query { try $0.actions(of: device) }.filter { !undone.contains($0) }
    let text = try ActionText(session)
    let rows = try actions.prefix(HubService.maxSteps).map { action in
      let events = try Session.reporting { try session.library.events(of: action) }
      return UndoListView.Row(action: action.description, text: try text.text(events), time: action.timestamp)
    }
    return PageProblem.document(frame, UndoListView(rows: rows).html(in: frame))
  }

  /// The number of steps that the list of them has.
  private static let maxSteps = 30

  /// Undoes an action, or the last one of this device.
  func undoForm(_ call: HubCall) throws -> RouteResponse {
    let back = call.back(HubService.home)
    let last = try UndoPlan.lastAction(session)
    guard let action = call.filled("action").flatMap({ EventID($0) }) ?? last else {
      return PageProblem.redirect(to: back.adding("done", "stale"))
    }
    let plan = try UndoPlan(action, session)
    guard !plan.done.isEmpty else { return PageProblem.redirect(to: back.adding("done", "stale")) }
    if call.field("yes") == nil, UndoPlan.isLarge(plan.bodies) {
      let frame = frame(call, .problem, "Undo this?", at: back)
      let view = UndoView(text: try ActionText(session).text(plan.done), action: action.description, back: back)
      return PageProblem.document(frame, view.html(in: frame))
    }
    let events: [Event]
    do { events = try plan.carryOut(session) } catch let failure as Failure where failure.status == .partial {
      return PageProblem.redirect(to: back.adding("done", "stale"))
    }
    guard events.map(\.body) != [.actionUndone] else {
      return PageProblem.redirect(to: back.adding("done", "stale"))
    }
    return PageProblem.redirect(to: back.adding("undone", action.description))
  }

  /// Changes the settings of a channel, unfollows it, or finds older videos.
  func channelForm(_ call: HubCall) throws -> RouteResponse {
    let text = call.part("channel")
    guard let id = SubscriptionID(text), let channel = try session.state.channels[id], channel.isFollowed else {
      throw HubProblem(404, "You do not follow this channel.")
    }
    let channelPage = PagePath(["channels", text])
    switch call.field("action") {
    case "unfollow":
      return try done(call, changed: try unfollow(id).count, fallback: channelPage)
    case "older":
      try findOlder(of: id)
      return PageProblem.redirect(to: call.back(channelPage))
    default:
      let change = try settings(call, of: channel).set(in: session)
      let speed = try call.field("speed").map { text in
        try PreferenceChange.commit(
          [PreferenceChange(name: "speed", value: text.isEmpty ? nil : text, channel: id.description)], in: session)
      }
      let count = (change.event == nil ? 0 : 1) + (speed?.count ?? 0)
      return try done(call, changed: count, fallback: channelPage)
    }
  }

  /// Creates a collection.
  func newCollectionForm(_ call: HubCall) throws -> RouteResponse {
    guard let name = call.filled("collection") else { throw HubProblem(400, "Name the collection.") }
    let collection = try create(name, text: call.field("description"))
    return try done(call, changed: nil, fallback: PagePath(["collections", collection.name]))
  }

  /// Renames, describes or deletes a collection. Afterwards its path may be another one.
  func collectionForm(_ call: HubCall) throws -> RouteResponse {
    let collection = try ownCollection(call)
    if call.field("action") == "delete" {
      let events = try session.commit { try collection.deletion(in: session) }
      return try done(call, changed: events.count, fallback: PagePath(["collections"]))
    }
    let events = try change(collection, name: call.field("collection"), text: call.field("description"))
    let name = call.filled("collection").map { String($0.withoutBlanks) } ?? call.part("collection")
    return try done(call, changed: events.count, fallback: PagePath(["collections", name]))
  }

  private func settings(_ call: HubCall, of channel: Channel) throws -> ChannelSettings {
    var given: [(name: String, value: String)] = []
    for name in ["feed", "shorts", "live", "order"] {
      if let value = call.filled(name) { given.append((name: name, value: value)) }
    }
    var settings = ChannelSettings(try HubArguments(given, of: HubRoute.settings), of: channel.id)
    if let title = call.field("title"), title != channel.chosenTitle ?? "" { settings.title = title }
    if let text = call.field("tags") {
      let wanted = HubService.tags(text)
      settings.untag = channel.tags.filter { tag in !wanted.contains { NormalizedName($0) == NormalizedName(tag) } }
      settings.tag = wanted.filter { tag in !channel.tags.contains { NormalizedName($0) == NormalizedName(tag) } }
    }
    return settings
  }

  /// The tags in a text: `science, slow television`.
  static func tags(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }
  }

  /// The import of the starter list.
  package func starterForm(_ call: HubCall) throws -> RouteResponse {
    try session.refresh()
    let report = try importReport(call)
    return try done(call, changed: report.new)
  }

  /// The import of a file: what it did, or would do.
  func importForm(_ call: HubCall) throws -> RouteResponse {
    guard call.file != nil else { throw HubProblem(400, "Choose a file first.") }
    let isDry = call.field("action") == "try"
    var query: [(name: String, value: String)] = isDry ? [("dryRun", "true")] : []
    for name in ["tag", "seenBefore", "allHistory"] {
      if let value = call.filled(name) { query.append((name, value)) }
    }
    var request = call
    request.query = query
    let report = try importReport(request)
    let frame = frame(call, .import, "Import", at: PagePath(["import"]))
    let view = ImportView(
      report: ImportView.Report(
        text: report.text(isDry: isDry, isSentence: true), refused: report.refusals, isDry: isDry,
        follows: report.new > 0 || report.archive.map { $0.new > 0 } ?? false))
    return PageProblem.document(frame, view.html(in: frame))
  }
}
