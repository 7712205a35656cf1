import App
import Core
import HubCore
import HubPage
import Library
import Messages
import ReadModel

/// The rules on the page.
extension HubService {
  /// A rule that is not added yet: the values of its form, its effect, and what is said of it.
  struct DraftRule {
    var form: [String: String] = [:]
    var preview: RulesView.Preview?
    var remark: (text: String, isProblem: Bool)?
  }

  /// The rules, with the form filled in from a video that the address names.
  func rulesView(_ call: HubCall) throws -> RouteResponse {
    guard let text = call.query.first(where: { $0.name == "like" })?.value else {
      return try rulesView(call, DraftRule())
    }
    guard let id = VideoID(text), let video = try session.video(id), video.found != nil,
      let row = try session.rows([id]).first
    else { throw HubProblem(404, "That video is not known here.") }
    let channel = row.knownChannel ?? .channel(row.channel)
    let words = RuleSuggestion.words(of: row.title, among: try titles(of: channel))
    var draft = DraftRule(form: ["verdict": Rule.Verdict.block.rawValue, "channel": channel.description])
    if !words.isEmpty {
      (draft.form["in"], draft.form["contains"]) = (Rule.Field.title.rawValue, words.joined(separator: " "))
    }
    let source = "Filled in from “\(row.shownTitle)” of \(row.channelTitle)."
    draft.remark = ("\(source) Change the words until the list below has what you mean.", false)
    draft.preview = try preview(of: request(draft.form))
    return try rulesView(call, draft)
  }

  /// The titles of a channel's latest videos.
  private func titles(of channel: SubscriptionID) throws -> [String] {
    var request = ListRequest(all: true, limit: FeedQuery.size)
    request.filter.channel = [channel.description]
    (request.filter.noRules, request.filter.shorts) = (true, .show)
    return try session.rows(request.selection(in: session).ids).map(\.title)
  }

  /// The rules and the form.
  private func rulesView(_ call: HubCall, _ draft: DraftRule) throws -> RouteResponse {
    let state = try session.state
    let lines = try ruleRows().map { row in
      RulesView.Line(
        id: row.rule.id, text: RuleText(row.rule, in: state).sentence,
        effect: "\(row.rule.verdict == .block ? "hides" : "shows") \(row.count)")
    }
    let frame = frame(call, .rules, "Rules", at: PagePath(["rules"]))
    let view = RulesView(
      rules: lines, form: draft.form, preview: draft.preview, tags: state.followedTags, remark: draft.remark)
    return PageProblem.document(frame, view.html(in: frame))
  }

  /// Adds, previews or removes a rule. What is refused comes back with the reason, as it was typed.
  func ruleForm(_ call: HubCall) throws -> RouteResponse {
    if call.field("action") == "remove" {
      let changed = try removeRule(call.field("rule") ?? "")
      return try done(call, changed: changed, fallback: PagePath(["rules"]))
    }
    let form = Dictionary(
      call.form.filter { !$0.value.isEmpty && !["action", "back"].contains($0.name) }.map {
        // A field named `matches` would hide the method of that name from scripts.
        ($0.name == "pattern" ? "matches" : $0.name, $0.value)
      }
    ) { first, _ in first }
    var draft = DraftRule(form: form)
    do {
      let request = try request(form)
      if call.field("action") == "add" {
        _ = try add(request.rule(in: session))
        return try done(call, changed: nil, fallback: PagePath(["rules"]))
      }
      draft.preview = try preview(of: request)
    } catch let error as AppError {
      let problem = PageWords.problem(error)
      draft.remark = (PageWords.sentence(problem.detail), true)
      var response = try rulesView(call, draft)
      response.status = problem.status
      return response
    }
    return try rulesView(call, draft)
  }

  private func request(_ form: [String: String]) throws -> RuleRequest {
    try RuleRequest(HubArguments(form.map { (name: $0.key, value: $0.value) }, of: HubRoute.conditions))
  }

  /// What a rule would hide or show.
  private func preview(of request: RuleRequest) throws -> RulesView.Preview {
    let rule = try request.rule(in: session)
    let videos = try session.videosChanged(by: rule)
    let rows = try session.rows(videos.prefix(FeedQuery.size))
    let count = UserMessages.count(videos.count, "new video")
    return RulesView.Preview(
      text: rule.verdict == .block ? "It would hide \(count)" : "It would show \(count) again",
      list: VideoList(rows, by: .none, next: nil, cursor: "", token: session.library.position))
  }
}
