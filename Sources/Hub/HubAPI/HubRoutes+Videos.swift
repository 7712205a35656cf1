import App
import Core
import EventLog
import Exporters
import HubCore
import JSON
import Library
import Messages
import ReadModel

extension HubRoute {
  fileprivate static let watched: [HubParameter] = [
    HubParameter("since", .text, "Only watched since."), HubParameter("until", .text, "Only watched before."),
    HubParameter.limit,
  ]
  fileprivate static let undoing: [HubParameter] = [
    HubParameter(
      "action", .text, "Undo this action instead, the `action` of a response; 409 if nothing of it is left."),
    HubParameter("yes", .flag, "Also if that unfollows something or makes more than 20 changes; 409 otherwise."),
  ]
  fileprivate static let changed: [HubParameter] = [
    HubParameter("since", .text, "The `token` of an earlier response.")
  ]

  static let videos: [HubRoute] = [
    HubRoute(
      .get, "/api/v1/videos", "listVideos", "Videos, newest first; 50 unless limited.", .read,
      query: HubRoute.listing, schema: .named("VideoPage"), work: .service { try $0.list($1) }),
    HubRoute(
      .get, "/api/v1/videos/{video}", "getVideo", "One video with its description and marks.", .read,
      schema: .named("VideoDetails"), work: .service { try $0.details($1) }),
    HubRoute(
      .get, "/api/v1/videos/{video}/why", "explainVideo", "Why a video is listed or hidden, with the evidence.", .read,
      schema: .named("Why"),
      work: .service { service, call in
        service.json(try VideoReport(service.video(call), in: service.session).json.object)
      }),
    HubRoute(
      .post, "/api/v1/marks", "mark", "Mark up to 400 videos, as one action that one undo takes back.", .write,
      body: .json(.marks), schema: .named("Marked"),
      work: .service { try $0.mark($1) }),
    HubRoute(
      .post, "/api/v1/undo", "undo", "Undo the last action of this device; repeat for the one before.", .write,
      query: undoing, schema: .named("Undone"), work: .service { try $0.undo($1) }),
    HubRoute(
      .get, "/api/v1/history", "history", "The videos watched, most recent first.", .read,
      query: watched, schema: .named("History"), work: .service { try $0.history($1) }),
    HubRoute(
      .get, "/api/v1/changes", "changes",
      "The videos that changed since a token, up to 400; without a token, only the present one.", .read,
      query: changed, schema: .named("Changes"),
      work: .service { try $0.changes($1) }),
  ]
}

extension HubService {
  /// The video ID in the path. Throws a `HubProblem` if it is invalid.
  private func videoID(_ text: String) throws -> VideoID {
    guard let id = VideoID(text) else { throw HubProblem(404, "“\(text)” is not a video ID") }
    return id
  }

  /// The video of the path; throws if nothing is known about it.
  fileprivate func video(_ call: HubCall) throws -> Video {
    let id = try videoID(call.part("video"))
    guard let video = try session.video(id) else {
      throw HubProblem(404, "\(id): no feed has shown this video yet, and nothing else is known of it")
    }
    return video
  }

  fileprivate func list(_ call: HubCall) throws -> RouteResponse {
    let request = try ListRequest(HubArguments(call.query, of: HubRoute.listing))
    let selection = try request.selection(in: session)
    let rows = try session.rows(selection.ids, alsoUnseen: true)
    return try json { line in
      line.add("videos", objects: try numbered(rows))
      line.add("matching", selection.matching)
      var hidden = JSONLine()
      hidden.add("upcoming", selection.hidden.upcoming)
      hidden.add("shorts", selection.hidden.shorts)
      hidden.add("streams", selection.hidden.streams)
      hidden.add("rules", selection.hidden.rules)
      hidden.add("unknownLength", selection.hidden.unknownLength)
      line.add("hidden", object: hidden)
      line.add("next", selection.next?.description)
      line.add("token", session.library.position)
    }
  }

  fileprivate func details(_ call: HubCall) throws -> RouteResponse {
    let video = try video(call)
    guard let row = try session.rows([video.id], alsoUnseen: true).first else {
      throw HubProblem(404, "\(video.id): unknown video")
    }
    var line = try numbered([row])[0]
    line.add("note", video.note.isEmpty ? nil : video.note)
    line.add("progressSeconds", video.progress)
    line.add("collections", video.collections)
    line.add("description", try session.text(of: video.description))
    return json(line.object)
  }

  fileprivate func history(_ call: HubCall) throws -> RouteResponse {
    let request = HistoryRequest(try HubArguments(call.query, of: HubRoute.watched))
    let (rows, count) = try request.rows(in: session)
    return json { line in
      line.add("watched", objects: rows.map(\.json))
      line.add("matching", count)
    }
  }

  // MARK: Marking

  fileprivate func mark(_ call: HubCall) throws -> RouteResponse {
    let body = try call.object()
    guard case .object(let members) = body, members.allSatisfy({ ["marks", "action"].contains($0.name) }),
      let elements = body["marks"]?.elements
    else { throw HubProblem(400, "marks: an array, with at most an action beside it") }
    guard (1...HubService.maxMarks).contains(elements.count) else {
      throw HubProblem(400, "marks: takes 1 to \(HubService.maxMarks) marks")
    }
    let marks = MarkRequest.merged(try elements.map { try MarkRequest($0, in: session) })
    let events = try session.mark(marks, action: continued(body["action"], by: marks))
    return json { line in
      line.add("changed", events.count)
      line.add("action", events.first?.action.description)
      // No video is refused any more; programs expect the member.
      line.add("unknown", [])
    }
  }

  /// The action that further positions of one video belong to, so that one undo takes all of them back; nil for an
  /// action of its own.
  private func continued(_ value: JSONValue?, by marks: [MarkRequest]) throws -> EventID? {
    guard let value, value != .null else { return nil }
    guard let action = value.string.flatMap({ EventID($0) }), action.device == session.library.device else {
      throw HubProblem(400, "action: not an action of this hub")
    }
    let done = try Session.reporting { try session.library.events(of: action) }
    guard marks.count == 1, marks[0].mark.isPosition, !done.isEmpty,
      done.allSatisfy({ event in
        switch event.body {
        case .progressSet(let set): set.video == marks[0].video
        case .videoDescribed: true
        default: false
        }
      })
    else { throw HubProblem(400, "action: only positions of one video continue an action") }
    // What was undone is over.
    return try session.query { try $0.undone() }.contains(action) ? nil : action
  }

  fileprivate func undo(_ call: HubCall) throws -> RouteResponse {
    let given = try HubArguments(call.query, of: HubRoute.undoing)
    let plan = try UndoPlan(given["action"].map(undoable) ?? lastAction(), session)
    guard given["action"] == nil || !plan.bodies.isEmpty else {
      throw HubProblem(409, "action: nothing is left of it; later actions changed the same")
    }
    guard given.flag("yes") == true || !UndoPlan.isLarge(plan.bodies) else {
      throw HubProblem(409, "this undoes \(UserMessages.action(plan.done)); repeat with yes=true to do it")
    }
    let events = try plan.carryOut(session)
    guard events.map(\.body) != [.actionUndone] else {
      throw HubProblem(409, "the last action was overridden by another device; undo again for the one before")
    }
    let outcomes = try events.prefix(HubService.maxMarks).compactMap { try UserMessages.outcome($0.body, in: session) }
    return json { line in
      line.add("undone", UserMessages.action(plan.done))
      line.add("changes", events.count)
      line.add("outcomes", outcomes)
    }
  }

  private func lastAction() throws -> EventID {
    guard let action = try UndoPlan.lastAction(session) else { throw HubProblem(409, "nothing to undo") }
    return action
  }

  /// An action of this device that can be undone, whatever was done after it.
  private func undoable(_ text: String) throws -> EventID {
    guard let action = EventID(text) else { throw HubProblem(400, "action: takes the action of a response") }
    let isKept = try session.query { model in
      try model.actions(of: action.device).contains(action) && !model.undone().contains(action)
    }
    guard isKept, action.device == session.library.device else {
      throw HubProblem(409, "action: undone already, too old, or of another device")
    }
    return action
  }

  // MARK: Changes

  fileprivate func changes(_ call: HubCall) throws -> RouteResponse {
    let since = try HubArguments(call.query, of: HubRoute.changed)["since"] ?? session.library.position
    let found = try Session.reporting { try session.library.events(after: since, maximum: HubService.maxMarks) }
    guard let (events, token) = found else {
      throw HubProblem(410, "since: the log was rewritten, or this is not its token; list the videos again")
    }
    var videos: Set<VideoID> = []
    var (hasChannels, hasRules) = (false, false)
    for event in events {
      switch event.body {
      case .channelFollowed, .channelUnfollowed, .channelChanged, .handleFollowed, .handleUnfollowed, .handleResolved,
        .feedFollowed, .feedUnfollowed, .feedChanged, .feedMerged:
        hasChannels = true
      case .ruleSet, .ruleRemoved: hasRules = true
      default: if let video = event.body.video { videos.insert(video) }
      }
    }
    let rows = try session.rows(videos.sorted(), alsoUnseen: true)
    return try json { line in
      line.add("token", token)
      line.add("more", token != session.library.position)
      line.add("videos", objects: try numbered(rows))
      line.add("channels", hasChannels)
      line.add("rules", hasRules)
    }
  }
}
