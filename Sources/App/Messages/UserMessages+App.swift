import Core
import Platform
import ReadModel

/// What the terminal says of requests that a use case refuses.
extension UserMessages {
  /// The failure of a command.
  package static func failure(_ error: AppError) -> Failure {
    let status: ExitStatus =
      switch error {
      case .channel, .unknownTag, .cursor: .partial
      case .rule(.pattern(_, .tooSlow)): .invalidInput
      default: .usage
      }
    return Failure(status, text(of: error))
  }

  /// The message of the terminal.
  package static func text(of error: AppError) -> String {
    switch error {
    case .channel(let typed, let mismatch): channel(typed, mismatch)
    case .unknownTag(let tag): "no channel has the tag \(quoted(tag)); see metube-rss channels"
    case .feedOfPlaylist(let typed): "“\(typed)” is a playlist; --feed needs a channel"
    case .cursor(.incompleteCursor):
      "--after: --catch-up and --mix continue after the cursor in the last line of a list"
    case .rule(.fieldWithoutText): "--in needs --contains or --matches"
    case .rule(.noCondition): "rule: give a condition, such as --contains or --channel"
    case .rule(.pattern(let pattern, .unsupported(let position))):
      "--matches: \(quoted(pattern)): character \(position): not supported; see metube-rss rule add --help"
    case .beyondEnd(let seconds, of: _, let end):
      "\(PlayingTime.text(seconds: seconds)): the video ends at \(PlayingTime.text(seconds: end))"
    default: text(of: error, member: option)
    }
  }

  /// The text of an error that is the same for everybody but for the names of members.
  package static func text(of error: AppError, member: (RequestMember) -> String) -> String {
    switch error {
    case .notATime(let text, let name):
      "\(member(name)): “\(text)” is not a time; use 3d, 12h or 2w, today, a date such as 2026-11-01, "
        + "2026-11-01T18:30 or RFC 3339"
    case .notASpan(let text, let name): "\(member(name)): “\(text)” is not a time span such as 90d"
    case .notADuration(let text, let name):
      "\(member(name)): “\(text)” is not a duration; use 12:34, 90s, 12m or 2h"
    case .pastTime(let text, let name): "\(member(name)): “\(text)” is past; use a future time such as 3d"
    case .distantTime(let text, let name, let years):
      "\(member(name)): “\(text)” is more than \(years) years ahead"
    case .exclusive(let names): "\(names.map(member).joined(separator: " and ")) exclude each other"
    case .emptyRange(let least, let maximum):
      "\(member(least)) is greater than \(member(maximum)), so no video could match"
    case .noWords(let name):
      "\(member(name)): no words given, so it would match every \(name == .search ? "video" : "text")"
    case .tooManyWords(let name, let limit): "\(member(name)): more than \(limit) different words"
    case .emptyName(let thing): "a \(thing.rawValue) needs a name"
    case .unseenCharacters(let text, let thing):
      "\(quoted(text)) cannot name a \(thing.rawValue): no control or text-direction characters allowed"
    case .rule(.matchesEverything(let pattern)): "\(member(.matches)): “\(pattern)” matches every text"
    case .rule(.pattern(let pattern, let flaw)): "\(member(.matches)): \(quoted(pattern)): \(text(of: flaw))"
    case .rule(.fieldWithoutText): "\(member(.field)) needs \(member(.contains)) or \(member(.matches))"
    case .rule(.noCondition): "give a condition, such as \(member(.contains)) or \(member(.channel))"
    case .cursor(.unknownCursor(let video)): "\(member(.after)): no video \(video) was ever found"
    case .cursor(.incompleteCursor):
      "\(member(.after)): \(member(.catchUp)) and \(member(.mix)) continue after the cursor of a page"
    case .preference(let flaw): text(of: flaw)
    case .setting(let name, let value, let choices):
      "\(name) is \(quoted(value)); use "
        + (choices.count == 2 ? choices.joined(separator: " or ") : "one of \(choices.joined(separator: ", "))")
    case .channel(let typed, _): "“\(typed)” matches no channel"
    case .unknownTag(let tag): "no channel has the tag “\(tag)”"
    case .feedOfPlaylist(let typed): "“\(typed)” is a playlist; \(member(.feed)) needs a channel"
    case .savedCollection: "“saved” is the list of saved videos"
    case .beyondEnd(let seconds, let video, let end):
      "\(video): \(member(.position)) \(seconds) is beyond the end, \(end)"
    }
  }

  /// The name of a member in the terminal.
  private static func option(_ member: RequestMember) -> String {
    switch member {
    case .snooze: "snooze"
    case .position: "progress"
    default: "--" + member.rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
    }
  }

  private static func text(of flaw: PreferenceFlaw) -> String {
    switch flaw {
    case .unknownName(let name, let nearest):
      "\(quoted(name)) is not a preference; "
        + (nearest.map { "did you mean \($0)?" }
          ?? "the preferences are \(Preference.allCases.map(\.rawValue).joined(separator: ", "))")
    case .value(let text, let preference):
      "\(preference.rawValue): \(quoted(text)) is not a value; use \(preference.row.values.text)"
    case .unknownZone(let name):
      "\(Preference.timeZone.rawValue): this machine has no time zone \(quoted(name)); use local, or a name from "
        + "/usr/share/zoneinfo such as Europe/Berlin (package tzdata)"
    case .notPerChannel(let preference):
      "\(preference.rawValue): a channel cannot have a value of its own; omit the channel"
    }
  }

  private static func text(of flaw: PatternError) -> String {
    switch flaw {
    case .tooLong(let limit): "longer than \(limit) characters"
    case .invalid(let position, let reason): "character \(position): \(reason)"
    case .unsupported(let position): "character \(position): not supported"
    case .tooSlow: "too slow on these videos; repeat less within what is repeated, or check titles alone"
    }
  }

  private static func channel(_ typed: String, _ mismatch: ChannelMismatch) -> String {
    switch mismatch {
    case .notFollowed: return "“\(typed)” is not followed; see metube-rss channels"
    case .unknownHandle:
      return "“\(typed)” is not a known handle; use the title or ID shown by metube-rss channels"
    case .noTitle: return "“\(typed)” matches no channel; see metube-rss channels"
    case .followedEarlier(let title, let id):
      return "\(quoted(title)) is no longer followed; list --all shows its videos, and metube-rss follow \(id) "
        + "follows it again"
    case .several(let first, let count):
      return "“\(typed)” matches \(count) channels; use more of the title, or an ID: \(choices(first, of: count))"
    }
  }

  /// The channels to choose from: `NASA (UC…), NASA Kids (UC…) and 3 more`.
  package static func choices(_ first: [ChannelChoice], of count: Int) -> String {
    let list = first.map { "\(DisplayText($0.title).text) (\($0.id))" }.joined(separator: ", ")
    return list + (count > first.count ? " and \(count - first.count) more" : "")
  }

  private static func quoted(_ text: String) -> String { "“\(DisplayText(text).text)”" }
}
