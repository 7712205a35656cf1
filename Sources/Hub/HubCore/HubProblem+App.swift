import Core
import Messages
import Platform
import ReadModel

extension HubProblem {
  /// What a client of the API reads of a request that a use case refuses: its own text unchanged, and its own names of
  /// members.
  package init(_ error: AppError) {
    let text = HubProblem.text(of: error)
    switch error {
    case .channel, .unknownTag, .cursor, .preference(.unknownName): self.init(404, text)
    case .rule(.pattern(_, .tooSlow)): self.init(422, text)
    case .setting: self = .ofSettings(text)
    default: self.init(400, text)
    }
  }

  /// A mistake of the operator's, which the start refuses; the settings were changed since.
  static func ofSettings(_ text: String) -> HubProblem {
    StandardError.report(text)
    return HubProblem(503, "the hub is misconfigured; its journal says how")
  }

  private static func text(of error: AppError) -> String {
    switch error {
    case .channel(let typed, let mismatch):
      switch mismatch {
      case .notFollowed: "“\(typed)” is not followed"
      case .unknownHandle: "“\(typed)” is not a known handle; use the title or ID of a channel"
      case .noTitle: "“\(typed)” matches no channel"
      case .followedEarlier(let title, let id): "“\(title)” (\(id)) is no longer followed"
      case .several(let first, let count):
        "“\(typed)” matches \(count) channels; use an ID: \(UserMessages.choices(first, of: count))"
      }
    default: UserMessages.text(of: error) { member in member.ofAPI }
    }
  }
}

extension RequestMember {
  /// The name of a member in the API.
  fileprivate var ofAPI: String {
    switch self {
    case .snooze: "until"
    case .position: "progressSeconds"
    default: rawValue
    }
  }
}
