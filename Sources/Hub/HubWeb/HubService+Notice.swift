import App
import Core
import HubCore
import HubPage
import Library
import Messages

extension PageNotice {
  /// The parameters that say what the form before did.
  static let parameters: Set<String> = ["done", "undone"]
}

extension HubService {
  /// What the address of a request says was done. It names an action and has no text: an address could come from
  /// anyone.
  func notice(_ call: HubCall) -> PageNotice? {
    func value(_ name: String) -> String? { call.query.first { $0.name == name }?.value }
    if let undone = value("undone") {
      return described(undone).map { PageNotice("Undone: \($0.text).", undo: "") }
    }
    switch value("done") {
    case nil: return nil
    case "none": return PageNotice("Nothing changed.")
    case "poll": return pollNotice
    case "no-poller": return absence ?? pollNotice
    case "polling": return PageNotice("The feeds are being checked already.")
    case "stale": return PageNotice("Nothing to undo: it was undone, or overridden by another device.", isProblem: true)
    case let action?:
      return described(action).map { text, isFollow in
        PageNotice("\(text).", undo: action, offersCheck: isFollow)
      }
    }
  }

  private var pollNotice: PageNotice { PageNotice("The feeds that are due are being checked.") }

  /// The notice that no poller works; nil if one does by now, or if that cannot be read, as below.
  private var absence: PageNotice? {
    guard let text = (try? session.workspace.pollerLife())?.absence else { return nil }
    let sentence = text.prefix(1).uppercased() + text.dropFirst()
    return PageNotice("\(sentence). The feeds are checked as soon as one does.", isProblem: true)
  }

  /// An action as text, and whether it follows anything. Nil if the ID is unknown.
  /// Also nil if the log cannot be read: a view without a notice is better than no view.
  private func described(_ text: String) -> (text: String, isFollow: Bool)? {
    guard let action = EventID(text),
      let events = try? Session.reporting({ try session.library.events(of: action) }), !events.isEmpty
    else { return nil }
    let isFollow = events.contains { event in
      switch event.body {
      case .channelFollowed, .handleFollowed, .feedFollowed: true
      default: false
      }
    }
    guard let text = try? ActionText(session).text(events) else { return nil }
    return (text, isFollow)
  }
}
