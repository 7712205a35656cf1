import Core
import EventLog

/// Everything known and decided about one video, for a person.
struct VideoReport {
  /// A line: what it is about, and what there is to say.
  typealias Line = (label: String, text: String)

  private let video: Video
  private let session: Session
  private let rules: [Rule]
  private let events: [Event]

  /// The report on a video that was found; reads the log for what happened to it.
  init(_ video: Video, in session: Session) throws {
    self.video = video
    self.session = session
    let description = try session.text(of: video.description)
    rules = RuleBook(session.state.rules, knowing: .none)
      .applying(to: video, in: session.state, at: session.now) { _ in FoldedText.bytes(of: description) }
    do { events = try session.journal.events(about: video.id) } catch { throw Words.failure(error) }
  }

  private var state: State { session.state }

  /// Title and address, the title broken within the width of a terminal.
  func heading(width: Int?) -> String {
    (DisplayText(video.title).lines(within: width) + [video.url]).map { "\($0)\n" }.joined()
  }

  /// Lines with their labels in a column, broken within the width of a terminal; nil breaks none.
  func text(_ lines: [Line], width: Int?) -> String {
    lines.map { label, text in
      if let width, width < VideoReport.narrow {
        let parts = DisplayText(text).lines(within: max(1, width - 2))
        return ([label] + parts.map { "  " + $0 }).joined(separator: "\n") + "\n"
      }
      let parts = DisplayText(text).lines(within: width.map { $0 - VideoReport.indent })
      let first = label + String(repeating: " ", count: max(1, VideoReport.indent - label.utf8.count))
      return first + parts.joined(separator: "\n" + String(repeating: " ", count: VideoReport.indent)) + "\n"
    }.joined()
  }

  private static let indent = 12
  /// Below so many columns the labels stand on lines of their own.
  private static let narrow = 32

  /// What YouTube said, and how it is known.
  var facts: [Line] {
    var lines: [Line] = [("channel", channel), ("published", published)]
    if let found = video.found {
      let forms = video.feeds.forms.map(\.rawValue).joined(separator: ", ")
      lines.append(("found", "\(moment(found.timestamp)) in the feed: \(forms); on device \(found.device)"))
    }
    lines.append(("length", video.duration.map(PlayingTime.text) ?? "unknown, the feeds do not say it"))
    lines.append(("Short", short))
    lines.append(("live", live))
    return lines
  }

  private var channel: String {
    let id = SubscriptionID.channel(video.channel)
    let tags = state.tags(of: video)
    let playlists = video.playlists.map { ", in the playlist \(state.channels[.playlist($0)]?.title ?? "\($0)")" }
    let follow = state.channels[id]?.isFollowed == true ? "" : ", not followed"
    return "\(state.channelTitle(of: video)) (\(id))\(follow)\(playlists.joined())"
      + (tags.isEmpty ? "" : ", tags: \(tags.joined(separator: ", "))")
  }

  private var published: String {
    let moved = video.publishedMoved.map { "; YouTube moved it to \($0.rfc3339)" } ?? ""
    return moment(video.published) + moved
  }

  private var short: String {
    let verdict = ShortVerdict(of: video)
    let choice =
      verdict.answer == .yes && state.listsShorts(of: video) ? "; you chose to list those of its channel" : ""
    return Words.short(verdict) + choice
  }

  private var live: String {
    let scheduled = video.enriched?.value.scheduled.map { ", planned for \($0.rfc3339)" } ?? ""
    switch video.live {
    case .none: return "no stream, says the Data API"
    case .upcoming: return "still to come\(scheduled)"
    case .live: return "on now"
    case .ended: return "a stream that is over"
    case .unknown: return video.hasZeroViews ? "unknown; 0 views, maybe upcoming (a hint, hides nothing)" : "unknown"
    }
  }

  /// What the person and the rules made of it, and what comes of that.
  var decisions: [Line] {
    let reasons = state.reasonsHidden(video, at: session.now, rules: rules)
    var lines: [Line] = []
    lines.append(("listed", reasons.isEmpty ? "yes: it is new, and nothing hides it" : "no"))
    for reason in reasons { lines.append(("because", Words.hiding(reason, in: state))) }
    lines.append(("status", status))
    if video.isSaved { lines.append(("saved", "yes")) }
    for name in video.collections { lines.append(("collection", name)) }
    if video.progress > 0 { lines.append(("progress", PlayingTime.text(seconds: video.progress))) }
    if !video.note.isEmpty { lines.append(("note", video.note)) }
    for rule in rules { lines.append(("rule", Words.rule(rule, in: state))) }
    return lines
  }

  private var status: String {
    let status = video.status(at: session.now)
    let until = video.snoozedUntil.map { " until \($0.rfc3339)" } ?? ""
    let reason = video.statusSet.reason.flatMap { $0 == StatusSet.undone ? nil : ", because of \($0)" } ?? ""
    guard status != video.statusSet.status else { return status.rawValue + (status == .snoozed ? until : "") + reason }
    return video.statusSet.status == .snoozed ? "new: the snooze\(until) is over" : "new: it was skipped when to come"
  }

  /// What is decided about it and by what, as one JSON object.
  var json: JSONLine {
    var line = JSONLine()
    let reasons = state.reasonsHidden(video, at: session.now, rules: rules)
    line.add("video", video.id.description)
    line.add("title", video.title)
    line.add("url", video.url)
    line.add("listed", reasons.isEmpty)
    line.add("because", reasons.map { Words.hiding($0, in: state) })
    line.add("status", video.status(at: session.now).rawValue)
    line.add("rules", rules.map(\.id))
    line.add("short", Words.short(ShortVerdict(of: video)))
    line.add("live", live)
    line.add(
      "history",
      objects: events.compactMap { event in
        guard let words = Words.happened(event.body) else { return nil }
        var line = JSONLine()
        line.add("at", event.id.timestamp)
        line.add("device", event.id.device.description)
        line.add("what", words)
        line.add("isUndo", event.undoes != nil)
        return line
      })
    return line
  }

  /// What happened to it, the first thing first: when, on which device, what.
  var history: [Line] {
    events.compactMap { event in
      guard let words = Words.happened(event.body) else { return nil }
      let undo = event.undoes == nil ? "" : " (undo)"
      return ("history", "\(event.id.timestamp.rfc3339)  \(event.id.device)  \(words)\(undo)")
    }
  }

  private func moment(_ time: Timestamp) -> String {
    let short = time.short(at: session.local)
    return time.rfc3339.hasPrefix(short) ? time.rfc3339 : "\(time.rfc3339) (\(short))"
  }
}

extension DisplayText {
  /// Its lines within the width of a terminal; nil breaks none.
  func lines(within width: Int?) -> [String] { width.map { wrapped(to: $0).map(\.text) } ?? [text] }
}
