import Core
import Messages
import Platform
import ReadModel

/// Messages about what an action did, with titles from the log.
extension UserMessages {
  /// The effect of an event on a video or a subscription, with its title; nil if it concerns neither.
  package static func outcome(_ body: EventBody, in session: Session) throws -> String? {
    func title(of id: SubscriptionID) throws -> String { DisplayText(try session.title(of: id)).text }
    switch body {
    case .channelFollowed(let followed): return "following \(try title(of: followed.subscription))"
    case .channelUnfollowed(let id): return "unfollowed \(try title(of: id))"
    case .feedFollowed(let followed): return "following \(try title(of: .feed(followed.feed)))"
    case .feedUnfollowed(let feed): return "unfollowed \(try title(of: .feed(feed)))"
    case .feedChanged(let change):
      return "\(try title(of: .feed(change.feed))): \(choices(ChannelChanged(change)))"
    case .channelChanged(let change): return "\(try title(of: change.subscription)): \(choices(change))"
    case .collectionChanged(let change):
      let parts = [
        change.kept.map { $0 ? "created" : "no longer kept when empty" }, change.text.map { _ in "described" },
      ]
      return "collection \(DisplayText(change.collection).text): \(parts.compactMap(\.self).joined(separator: ", "))"
    case .preferenceSet(let set):
      return choice(set) + (try set.channel.map { " for \(try title(of: $0))" } ?? "")
    default:
      guard let id = body.video, let text = happened(body, \.local) else { return nil }
      return reply(DisplayText(text).text, try session.title(of: id), id)
    }
  }

  /// The title of the channel or video, or the handle, that an action concerns; `a rule` for a rule.
  package static func subject(_ body: EventBody, in session: Session) throws -> String {
    let text =
      switch body {
      case .channelFollowed(let followed): try session.title(of: followed.subscription)
      case .channelUnfollowed(let id): try session.title(of: id)
      case .channelChanged(let change): try session.title(of: change.subscription)
      case .feedFollowed(let followed): try session.title(of: .feed(followed.feed))
      case .feedUnfollowed(let feed): try session.title(of: .feed(feed))
      case .feedChanged(let change): try session.title(of: .feed(change.feed))
      case .handleFollowed(let followed): followed.handle
      case .handleUnfollowed(let unfollowed): unfollowed.handle
      case .ruleSet, .ruleRemoved: "a rule"
      case .collectionChanged(let change): change.collection
      case .preferenceSet(let set): "preference \(set.name)"
      default:
        try body.video.map { id in
          let title = try session.title(of: id)
          return title.isEmpty ? id.description : title
        } ?? ""
      }
    return DisplayText(text).text
  }
}

extension UserMessages {
  static func failure(_ error: ActionError) -> Failure {
    switch error {
    case .unimportable(let path, let error):
      Failure(error.isOfDisk ? .disk : .invalidInput, "\(path): \(importing(error))")
    case .damagedDocument(let path, let damage):
      Failure(.invalidInput, "\(path): \(xml(damage)); nothing was imported")
    case .undoneMeanwhile: Failure(.partial, "another command has just undone the same action")
    case .tooManySubscriptions(let count, let limit):
      Failure(
        .invalidInput,
        "that makes \(count) subscriptions, and this hub allows \(limit) (METUBE_HUB_SUBSCRIPTIONS); unfollow some first"
      )
    }
  }
}
