import Core
import EventLog
import Exporters
import Library
import Messages
import Platform
import ReadModel
import Terminal

/// Everything known and decided about one video, for `show` and `why`.
package struct VideoReport {
  /// A label and its text.
  package typealias Line = (label: String, text: String)

  package let video: Video
  private let session: Session
  private let state: State
  private let rules: [Rule]
  private let events: [Event]
  /// The time of the report, in the person's zone.
  private let now: LocalTime

  /// The report on a known video; reads its history from the log. Throws `Failure` if the log cannot be read.
  package init(_ video: Video, in session: Session) throws {
    self.video = video
    self.session = session
    now = session.local
    let rules = try session.query { try $0.rules(applyingTo: video.id, at: session.now) }
    state = try session.query { try $0.state(of: video.sources + rules.compactMap(\.subscription)) }
    self.rules = rules
    events = try Session.reporting { try session.library.events(about: video.id) }
  }

  /// Title and URL; the title wraps at the width of the terminal.
  package func heading(width: Int?) -> String {
    ((title.isEmpty ? [] : DisplayText(title).lines(within: width)) + [video.url]).map { "\($0)\n" }.joined()
  }

  private var title: String { video.knownTitle }

  /// Whether the video's channel is followed.
  package var isFollowed: Bool { state.isFollowed(video) }

  /// Lines with their labels in a column, wrapped at `width` columns; nil means no wrapping.
  package func text(_ lines: [Line], width: Int?) -> String {
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
  /// Below this many columns, labels go on separate lines.
  private static let narrow = 32

  /// Facts from YouTube, with their evidence.
  package var facts: [Line] {
    var lines: [Line] = [("channel", channel), ("published", published)]
    if video.found == nil {
      let source = video.described.map { "; described by \(UserMessages.source($0.value.source))" } ?? ""
      lines.append(("found", "no feed has shown this video yet\(source)"))
    }
    if let found = video.found {
      let forms = video.feeds.forms.map(\.rawValue).joined(separator: " and ")
      let feed = forms.isEmpty ? "its feed" : "the \(forms) feed"
      lines.append(("found", "\(moment(found.timestamp)) in \(feed), on device \(found.device)"))
    }
    lines.append(("length", video.knownDuration.map(PlayingTime.text) ?? "unknown (not in the feeds)"))
    lines.append(("Short", short))
    lines.append(("live", live(now.minute)))
    return lines
  }

  private var channel: String {
    guard let channel = video.knownChannel else {
      let name = state.channelTitle(of: video)
      return name.isEmpty ? "unknown" : name
    }
    let id = SubscriptionID.channel(channel)
    let tags = state.tags(of: video)
    let playlists = video.playlists.map { ", in the playlist \(state.channels[.playlist($0)]?.title ?? "\($0)")" }
    let follow = state.channels[id]?.isFollowed == true ? "" : ", not followed"
    return "\(state.channelTitle(of: video)) (\(id))\(follow)\(playlists.joined())"
      + (tags.isEmpty ? "" : ", tags: \(tags.joined(separator: ", "))")
  }

  private var published: String {
    guard let published = video.knownPublished else { return "unknown" }
    let moved = video.publishedMoved.map { "; YouTube changed it to \(now.minute(of: $0))" } ?? ""
    return moment(published) + moved
  }

  private var short: String {
    let verdict = ShortVerdict(of: video)
    let choice =
      verdict.value == .yes && state.listsShorts(of: video) ? "; you chose to list Shorts of its channel" : ""
    return UserMessages.short(verdict) + choice
  }

  private func live(_ written: (Timestamp) -> String) -> String {
    let scheduled = video.enriched?.value.scheduled.map { ", scheduled for \(written($0))" } ?? ""
    switch video.live {
    case .none: return "not a live stream"
    case .upcoming: return "upcoming\(scheduled)"
    case .live: return "live now"
    case .ended: return "a live stream that has ended"
    case .unknown:
      let isMaybe = video.maybeUpcoming(at: session.now)
      return isMaybe ? "unknown; 0 views, maybe upcoming (a hint, hides nothing)" : "unknown"
    }
  }

  /// What hides the video from the default list.
  package var reasons: [HidingReason] { state.reasonsHidden(video, at: session.now, rules: rules) }

  /// Whether the video is listed, and the user's marks and the rules that decide it.
  package var decisions: [Line] { decisions { UserMessages.hiding($0, in: state) } }

  /// The decisions, with another text for what hides the video.
  package func decisions(hiding: (HidingReason) -> String) -> [Line] {
    let reasons = reasons
    var lines: [Line] = []
    lines.append(("listed", reasons.isEmpty ? "yes: it is new, and nothing hides it" : "no"))
    for reason in reasons { lines.append(("because", hiding(reason))) }
    lines.append(("status", status))
    if video.isSaved { lines.append(("saved", "yes")) }
    for name in video.collections { lines.append(("collection", name)) }
    if video.progress > 0 { lines.append(("progress", PlayingTime.text(seconds: video.progress))) }
    if !video.note.isEmpty { lines.append(("note", video.note)) }
    for rule in rules { lines.append(("rule", UserMessages.rule(rule, in: state))) }
    return lines
  }

  private var isStatusUnknown: Bool { session.awaitsExchange && video.statusChanged == nil }

  private var status: String {
    if isStatusUnknown { return "unknown: nothing has been exchanged with the hub yet; until then it counts as new" }
    let status = video.status(at: session.now)
    let until = video.snoozedUntil.map { " until \(now.minute(of: $0))" } ?? ""
    let reason = video.statusSet.reason.flatMap { $0 == StatusSet.undone ? nil : ", because of \($0)" } ?? ""
    guard status != video.statusSet.status else { return status.rawValue + (status == .snoozed ? until : "") + reason }
    return video.statusSet.status == .snoozed ? "new: the snooze\(until) is over" : "new: it was skipped while upcoming"
  }

  /// The decisions about the video and their reasons, as one JSON object.
  package var json: JSONLine {
    var line = JSONLine()
    let reasons = reasons
    line.add("video", video.id.description)
    line.add("title", video.knownTitle)
    line.add("url", video.url)
    line.add("listed", reasons.isEmpty)
    line.add("because", reasons.map { UserMessages.hiding($0, in: state) })
    line.add("status", isStatusUnknown ? "unknown" : video.status(at: session.now).rawValue)
    line.add("rules", rules.map(\.id))
    line.add("short", UserMessages.short(ShortVerdict(of: video)))
    line.add("live", live(\.rfc3339))
    line.add(
      "history",
      objects: events.compactMap { event in
        guard let text = UserMessages.happened(event.body, \.rfc3339) else { return nil }
        var line = JSONLine()
        line.add("at", event.id.timestamp)
        line.add("device", event.id.device.description)
        line.add("what", text)
        line.add("isUndo", event.undoes != nil)
        return line
      })
    return line
  }

  /// The events of the video, oldest first: time, device, what happened.
  package var history: [Line] {
    events.compactMap { event in
      guard let text = UserMessages.happened(event.body, now.minute) else { return nil }
      let undo = event.undoes == nil ? "" : " (undo)"
      return ("history", "\(now.minute(of: event.id.timestamp))  \(event.id.device)  \(text)\(undo)")
    }
  }

  private func moment(_ time: Timestamp) -> String {
    let (short, minute) = (time.short(at: now), now.minute(of: time))
    return minute.hasPrefix(short) ? minute : "\(minute) (\(short))"
  }
}

extension DisplayText {
  /// Its lines, wrapped at `width` columns; nil means no wrapping.
  package func lines(within width: Int?) -> [String] { width.map { wrapped(to: $0).map(\.text) } ?? [text] }
}
