import Core
import ReadModel
import Terminal

/// Messages about one video.
extension UserMessages {
  /// Whether a video is a Short, with the evidence.
  package static func short(_ verdict: ShortVerdict) -> String {
    switch (verdict.value, verdict.evidence) {
    case (.yes, .link): "yes: the feed's link is /shorts/"
    case (.yes, _): "yes: it is in the channel's list of Shorts"
    case (.no, .duration): "no: longer than \(ShortVerdict.longest) s"
    case (.no, _): "no: it is in the channel's list of long videos"
    case (.unknown, _): "unknown: no evidence, so it is shown"
    }
  }

  /// Why a video is not in the default list, and which option shows it.
  package static func hiding(_ reason: HidingReason, in state: State) -> String {
    let option = option(showing: reason).map { " (list \($0) shows it)" }
    return cause(reason, in: state) + (option ?? "")
  }

  /// Why a video is not in the default list.
  package static func cause(_ reason: HidingReason, in state: State) -> String {
    switch reason {
    case .status(let status): "it is \(status.rawValue)"
    case .unseen: "no feed has shown it yet"
    case .notFollowed: "its channel is not followed"
    case .removed: "it was removed from YouTube"
    case .upcoming: "it is upcoming"
    case .short(let evidence): "it is a Short, by its \(evidence.rawValue)"
    case .stream: "it is a stream, and you hide streams of its channel"
    case .rules(let rules): "a rule hides it: block, \(conditions(of: rules[0], in: state))"
    }
  }

  private static func option(showing reason: HidingReason) -> String? {
    switch reason {
    case .unseen: nil
    case .status(let status): "--status \(status.rawValue)"
    case .notFollowed, .removed: "--all"
    case .upcoming: "--upcoming show"
    case .short: "--shorts show"
    case .stream: "--live"
    case .rules: "--no-rules"
    }
  }

  /// What an event changed about a video, for its history, with times as `written` shows them; nil if the history omits
  /// such events.
  package static func happened(_ body: EventBody, _ written: (Timestamp) -> String) -> String? {
    switch body {
    case .videoFound(let found):
      "found in the \(found.feed.rawValue) feed" + (found.status.map { ", as \($0.rawValue)" } ?? "")
        + (found.reason.map { " because of \($0)" } ?? "")
    case .videoChanged(let change): changed(change, written)
    case .entryFound(let found):
      "found in its feed" + (found.status.map { ", as \($0.rawValue)" } ?? "")
        + (found.reason.map { " because of \($0)" } ?? "")
    case .entryChanged(let change): changed(change, written)
    case .videoEnriched(let details):
      "details from YouTube: \(details.live.map(\.rawValue) ?? "live unknown")"
        + (details.duration.map { ", \(PlayingTime.text(seconds: $0))" } ?? "")
        + (details.scheduled.map { ", scheduled for \(written($0))" } ?? "")
        + (details.started.map { ", started \(written($0))" } ?? "")
        + (details.ended.map { ", ended \(written($0))" } ?? "")
    case .videoDescribed(let described):
      "described by \(source(described.source))" + (described.title.map { ": \($0)" } ?? "")
        + (described.channelTitle.map { ", of \($0)" } ?? "")
    case .videoRemoved(let removed): removed.removed ? "removed from YouTube" : "back on YouTube"
    case .statusSet(let set):
      "\(set.status.rawValue)" + (set.until.map { " until \(written($0))" } ?? "")
        + (set.at.map { " at \(written($0))" } ?? "")
        + (set.reason.flatMap { $0 == StatusSet.undone ? nil : ", because of \($0)" } ?? "")
    case .savedSet(let set): set.saved ? "saved" : "no longer saved"
    case .progressSet(let set) where set.seconds == 0: "progress cleared"
    case .progressSet(let set): "watched to \(PlayingTime.text(seconds: set.seconds))"
    case .noteSet(let set): set.text.isEmpty ? "note removed" : "note: \(set.text)"
    case .collectionSet(let set): (set.member ? "added to" : "removed from") + " the collection \(set.collection)"
    default: nil
    }
  }

  /// What describes a video: `a history`, `YouTube`.
  package static func source(_ name: String) -> String { name == VideoDescribed.youTube ? name : "a \(name)" }

  private static func changed(_ change: VideoChanged, _ written: (Timestamp) -> String) -> String {
    var what: [String] = []
    if let feed = change.feed { what.append("seen in the \(feed.rawValue) feed") }
    if let playlist = change.playlist { what.append("seen in the playlist \(playlist)") }
    if let title = change.title { what.append("title: \(title)") }
    if let link = change.link { what.append("link: \(link)") }
    if let time = change.published { what.append("publication date changed to \(written(time))") }
    if change.thumbnail != nil { what.append("new thumbnail") }
    if let zero = change.zeroViews { what.append(zero ? "0 views" : "views") }
    if change.description != nil { what.append("new description") }
    return what.joined(separator: "; ")
  }
}

extension UserMessages {
  /// What an entry's feed says differently, and under which other ID it was seen.
  private static func changed(_ change: EntryChanged, _ written: (Timestamp) -> String) -> String {
    let facts = change.facts
    var what: [String] = []
    if let title = change.title { what.append("title: \(title)") }
    if let link = facts.link { what.append("link: \(link)") }
    if let time = facts.published { what.append("publication date changed to \(written(time))") }
    if facts.media != nil { what.append("new files") }
    if let seconds = facts.duration { what.append("length: \(PlayingTime.text(seconds: seconds))") }
    if facts.image != nil { what.append("new picture") }
    if let author = facts.author { what.append("author: \(author)") }
    if let season = facts.season { what.append("season \(season)") }
    if let episode = facts.episode { what.append("episode \(episode)") }
    if let isExplicit = facts.isExplicit { what.append(isExplicit ? "explicit" : "not explicit") }
    if facts.description != nil { what.append("new description") }
    if let alias = change.alias { what.append("seen under another key, which would make it \(alias)") }
    return what.joined(separator: "; ")
  }
}

/// Messages about what a list shows and hides.
extension UserMessages {
  /// The numbers of hidden videos by reason, in the terms of the options that show them.
  package static func hidden(_ hidden: VideoSelection.Hidden) -> [String] {
    var parts: [String] = []
    if hidden.shorts > 0 { parts.append("\(count(hidden.shorts, "Short")) hidden") }
    if hidden.streams > 0 { parts.append("\(count(hidden.streams, "stream")) hidden") }
    if hidden.upcoming > 0 { parts.append("\(hidden.upcoming) upcoming hidden") }
    if hidden.rules > 0 { parts.append("\(hidden.rules) hidden by rules") }
    if hidden.unknownLength > 0 { parts.append("\(hidden.unknownLength) of unknown length") }
    return parts
  }

  /// The reply of every command if there are no subscriptions.
  package static let followsNothing = "You follow nothing yet: metube-rss import FILE, or follow CHANNEL.\n"

  /// Why a poll stopped.
  package static func stopped(_ reason: StopReason) -> String {
    switch reason {
    case .outage: "YouTube's feeds are failing in general; no single channel is at fault"
    case .offline: "no connection to YouTube; check the network, the proxy and DNS"
    case .refused: "YouTube is refusing this IP address (403); that usually lasts about four hours"
    case .tooMany: "YouTube reported too many requests (429)"
    case .deadline: "the deadline passed"
    case .interrupted: "interrupted; results so far were saved"
    }
  }

  /// Why the last poll stopped, short enough for a heading.
  package static func stoppedShort(_ reason: StopReason) -> String {
    switch reason {
    case .outage: "YouTube's feeds were failing"
    case .offline: "offline"
    case .refused: "YouTube refused (403)"
    case .tooMany: "YouTube refused (429)"
    case .deadline: "deadline passed"
    case .interrupted: "interrupted"
    }
  }

  /// Why a poll stopped, in one or two words for a column.
  package static func stoppedWord(_ reason: StopReason) -> String {
    switch reason {
    case .outage: "outage"
    case .offline: "offline"
    case .refused: "refused (403)"
    case .tooMany: "refused (429)"
    case .deadline: "deadline"
    case .interrupted: "interrupted"
    }
  }
}
