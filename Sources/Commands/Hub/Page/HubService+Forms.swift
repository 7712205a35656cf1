import Core
import EventLog
import HubPage
import JSON
import Library
import ReadModel

extension HubCall {
  /// A field of the form; nil if it is absent.
  func field(_ name: String) -> String? { form.first { $0.name == name }?.value }

  /// A field of the form that is not empty.
  func filled(_ name: String) -> String? { field(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// Where the form returns to.
  package func back(_ fallback: PagePath) -> PagePath { field("back").flatMap { PagePath(local: $0) } ?? fallback }
}

/// Forms work without script: each is translated into the request of the API that means the same.
extension HubService {
  private static let home = PagePath([])

  /// The answer of an operation of the API.
  func api(_ name: String, parts: [String: String] = [:], _ body: JSONValue = [:]) throws -> JSONValue {
    guard let route = HubRoute.all.first(where: { $0.name == name }), case .service(let work) = route.work else {
      throw HubProblem(500, "not an operation")
    }
    let answer = try work(self, HubCall(parts: parts, query: [], body: body.bytes, file: nil, url: ""))
    return JSONValue(answer.body) ?? .null
  }

  /// The redirect after a form that changed something, with the action that undoes it.
  private func done(_ call: HubCall, changed: JSONValue?, fallback: PagePath = HubService.home) throws -> HubAnswer {
    let back = call.back(fallback)
    guard changed != 0, let action = try UndoCommand.lastAction(session) else {
      return PageProblem.redirect(to: back.adding("done", "none"))
    }
    return PageProblem.redirect(to: back.adding("done", action.description))
  }

  /// Marks videos: `action` with `until`, `note` or `collection`.
  func markForm(_ call: HubCall) throws -> HubAnswer {
    if call.filled("all") != nil { return try markAll(call) }
    let videos = call.form.filter { $0.name == "video" }.map(\.value)
    guard !videos.isEmpty else { throw HubProblem(400, "Select videos first.") }
    let members = try HubService.mark(call)
    let marks = videos.map { video in
      JSONValue.object([JSONValue.Member(name: "video", value: .string(video))] + members)
    }
    let answer = try api("mark", ["marks": .array(marks)])
    if answer["changed"] == 0, answer["unknown"]?.elements?.count == videos.count {
      throw HubProblem(404, "No feed of your channels has shown this video.")
    }
    return try done(call, changed: answer["changed"])
  }

  /// Marks every new video of the list in the address as watched, in one action.
  private func markAll(_ call: HubCall) throws -> HubAnswer {
    let feed = try FeedQuery(call, path: [])
    let videos = try FeedPage.all(feed, in: session)
    let events = try session.commit {
      try videos.compactMap { id in
        guard let video = try session.video(id), video.status(at: session.now) == .new else { return nil }
        return .statusSet(StatusSet(video: id, status: .watched))
      }
    }
    return try done(call, changed: .number(Double(events.count)))
  }

  /// The members of a mark that a form's action means.
  private static func mark(_ call: HubCall) throws -> [JSONValue.Member] {
    func member(_ name: String, _ value: JSONValue) -> JSONValue.Member { JSONValue.Member(name: name, value: value) }
    func collection() throws -> JSONValue {
      guard let name = call.filled("collection") else { throw HubProblem(400, "Name the collection.") }
      return .string(name)
    }
    switch call.field("action") {
    case "watched": return [member("status", "watched")]
    case "new": return [member("status", "new")]
    case "skip": return [member("status", "skipped")]
    case "snooze":
      let until = call.filled("date") ?? call.filled("until") ?? "tomorrow"
      return [member("status", "snoozed"), member("until", .string(until))]
    case "save": return [member("saved", true)]
    case "unsave": return [member("saved", false)]
    case "note":
      // A form sends line breaks as CR and LF.
      let note = (call.field("note") ?? "").split(separator: "\r\n", omittingEmptySubsequences: false)
      return [member("note", .string(note.joined(separator: "\n")))]
    case "progress":
      let seconds = try call.filled("position").map { try DurationArgument($0, option: "position").seconds } ?? 0
      return [member("progressSeconds", .number(Double(seconds)))]
    case "collect": return [member("collection", try collection())]
    case "uncollect": return [member("collection", try collection()), member("member", false)]
    default: throw HubProblem(400, "action: not one of the page")
    }
  }

  /// Undoes an action, or the last one of this device.
  func undoForm(_ call: HubCall) throws -> HubAnswer {
    let back = call.back(HubService.home)
    let last = try UndoCommand.lastAction(session)
    guard let action = call.filled("action").flatMap({ EventID($0) }) ?? last else {
      return PageProblem.redirect(to: back.adding("done", "stale"))
    }
    let plan = try UndoPlan(action, session)
    guard !plan.done.isEmpty else { return PageProblem.redirect(to: back.adding("done", "stale")) }
    if call.field("yes") == nil, UndoCommand.isLarge(plan.bodies) {
      let frame = frame(call, .problem, "Undo this?", at: back)
      let view = UndoView(words: UserMessages.action(plan.done), action: action.description, back: back)
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

  /// Follows what a text names.
  func followForm(_ call: HubCall) throws -> HubAnswer {
    let sources = (call.field("source") ?? "").split(whereSeparator: \.isWhitespace).map {
      JSONValue.string(String($0))
    }
    guard !sources.isEmpty else { throw HubProblem(400, "Name a channel: @handle, address or ID.") }
    let tags = HubService.tags(call.field("tag") ?? "").map { JSONValue.string($0) }
    var members = [JSONValue.Member(name: "channels", value: .array(sources))]
    if !tags.isEmpty { members.append(JSONValue.Member(name: "tag", value: .array(tags))) }
    if let date = call.filled("seenBefore") {
      members.append(JSONValue.Member(name: "seenBefore", value: .string(date)))
    }
    let answer = try api("follow", .object(members))
    return try done(call, changed: answer["changed"], fallback: PagePath(["channels"]))
  }

  /// Changes the settings of a channel, unfollows it, or finds older videos.
  func channelForm(_ call: HubCall) throws -> HubAnswer {
    let text = call.part("channel")
    guard let id = SubscriptionID(text), let channel = try session.state.channels[id], channel.isFollowed else {
      throw HubProblem(404, "You do not follow this channel.")
    }
    let place = PagePath(["channels", text])
    switch call.field("action") {
    case "unfollow":
      let answer = try api("unfollow", parts: ["channel": text])
      return try done(call, changed: answer["changed"], fallback: place)
    case "older":
      try findOlder(of: id)
      return PageProblem.redirect(to: call.back(place))
    default:
      let answer = try api("setChannel", parts: ["channel": text], settings(call, of: channel))
      return try done(call, changed: answer["changed"], fallback: place)
    }
  }

  /// Creates a collection.
  func newCollectionForm(_ call: HubCall) throws -> HubAnswer {
    guard let name = call.filled("collection") else { throw HubProblem(400, "Name the collection.") }
    let members = ["collection": .string(name), "description": .string(call.field("description") ?? "")] as JSONValue
    let answer = try api("addCollection", members)
    let place = PagePath(["collections", answer["collection"]?.string ?? name])
    return try done(call, changed: nil, fallback: place)
  }

  /// Renames, describes or deletes a collection. Afterwards its path may be another one.
  func collectionForm(_ call: HubCall) throws -> HubAnswer {
    let parts = ["collection": call.part("collection")]
    if call.field("action") == "delete" {
      let answer = try api("removeCollection", parts: parts)
      return try done(call, changed: answer["changed"], fallback: PagePath(["collections"]))
    }
    let fields = ["collection", "description"].compactMap { name in
      call.field(name).map { JSONValue.Member(name: name, value: .string($0)) }
    }
    let answer = try api("setCollection", parts: parts, .object(fields))
    let name = call.filled("collection").map { String($0.withoutBlanks) } ?? call.part("collection")
    return try done(call, changed: answer["changed"], fallback: PagePath(["collections", name]))
  }

  private func settings(_ call: HubCall, of channel: Channel) -> JSONValue {
    var members: [JSONValue.Member] = []
    for name in ["feed", "shorts", "live", "order"] {
      if let value = call.filled(name) { members.append(JSONValue.Member(name: name, value: .string(value))) }
    }
    if let title = call.field("title"), title != channel.chosenTitle ?? "" {
      members.append(JSONValue.Member(name: "title", value: .string(title)))
    }
    if let text = call.field("tags") {
      let wanted = HubService.tags(text)
      func values(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
      let dropped = channel.tags.filter { tag in !wanted.contains { NormalizedName($0) == NormalizedName(tag) } }
      let added = wanted.filter { tag in !channel.tags.contains { NormalizedName($0) == NormalizedName(tag) } }
      members.append(JSONValue.Member(name: "tag", value: values(added)))
      members.append(JSONValue.Member(name: "untag", value: values(dropped)))
    }
    return .object(members)
  }

  /// The tags in a text: `science, slow television`.
  private static func tags(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }
  }

  /// Adds, previews or removes a rule.
  func ruleForm(_ call: HubCall) throws -> HubAnswer {
    if call.field("action") == "remove" {
      let answer = try api("removeRule", parts: ["rule": call.field("rule") ?? ""])
      return try done(call, changed: answer["changed"], fallback: PagePath(["rules"]))
    }
    // A field named `matches` would hide the method of that name from scripts.
    let given = call.form.filter { !$0.value.isEmpty && !["action", "back"].contains($0.name) }.map {
      (name: $0.name == "pattern" ? "matches" : $0.name, value: $0.value)
    }
    let body = JSONValue.object(
      given.map { name, value in
        let isFlag = ["short", "live"].contains(name)
        return JSONValue.Member(name: name, value: isFlag ? .boolean(value == "true") : .string(value))
      })
    if call.field("action") == "add" {
      _ = try api("addRule", body)
      return try done(call, changed: nil, fallback: PagePath(["rules"]))
    }
    var request = call
    request.body = body.bytes
    let rule = try rule(request, HubRoute.conditions)
    let videos = try session.videosChanged(by: rule)
    let rows = try session.rows(videos.prefix(FeedQuery.size))
    let count = UserMessages.count(videos.count, "new video")
    let preview = RulesView.Preview(
      words: rule.verdict == .block ? "It would hide \(count)" : "It would show \(count) again",
      list: VideoList(rows, by: .none, next: nil, cursor: "", token: session.library.position))
    let form = Dictionary(given.map { ($0.name, $0.value) }) { first, _ in first }
    return try rulesView(call, form: form, preview: preview)
  }

  /// The import of the starter list.
  package func starterForm(_ call: HubCall) throws -> HubAnswer {
    try session.refresh()
    let report = try importReport(call)
    return try done(call, changed: .number(Double(report.new)))
  }

  /// The import of a file: what it did, or would do.
  func importForm(_ call: HubCall) throws -> HubAnswer {
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
        follows: report.new > 0))
    return PageProblem.document(frame, view.html(in: frame))
  }
}
