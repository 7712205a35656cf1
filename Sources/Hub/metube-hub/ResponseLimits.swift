import HubCore
import HubLimits
import Hummingbird
import ReadModel
import SQLDrivers

/// How many long responses are sent at once, to all users and to one: each takes memory until its client has read it.
enum ResponseLimits {
  /// Responses above `small`, such as pages of videos.
  private static let long = turns(slots: 32, maxOfOne: 8)
  /// Responses above `medium`, such as exports, up to some 30 MB each.
  private static let longest = turns(slots: 8, maxOfOne: 2)

  /// Shorter responses are not counted. They are written in one go, and compressed on the thread that makes them.
  private static let small = 1 << 16
  private static let medium = 1 << 20

  /// Whether a response of this many bytes is long.
  static func isLong(_ count: Int) -> Bool { count > small }

  /// The response that `make` returns. A long one waits for a slot; it is discarded meanwhile, to use no memory, and made
  /// again. A call that must not be repeated does not wait.
  static func response(
    to request: Request, of visitor: Gatekeeper.Visitor, mayRepeat: Bool, _ make: () async throws -> RouteResponse
  ) async throws -> Response {
    let user = visitor.user ?? ""
    var slot: Turns.Slot?
    while true {
      switch try await sending(ResponseForm(try await make(), to: request), of: user, slot) {
      case .response(let response): return response
      case .waits(let turns):
        guard mayRepeat else {
          throw HubProblem(429, "it is done, but the response is long, and you have others that are not read yet")
        }
        slot = try await turns.slot(of: user, until: Interruption.current)
      }
    }
  }

  /// What becomes of a response.
  private enum Sending {
    case response(Response)
    /// It needs one of these slots, and none is free for its user.
    case waits(Turns)
  }

  /// Sends a user's response if it is short, holds a slot, or gets one at once.
  private static func sending(_ form: ResponseForm, of user: String, _ slot: Turns.Slot?) async throws -> Sending {
    guard let count = form.longCount else { return .response(form.response) }
    let turns = count > medium ? longest : long
    guard let slot = slot ?? turns.freeSlot(of: user) else { return .waits(turns) }
    return .response(try await form.response(holding: slot, of: user))
  }

  private static func turns(slots: Int, maxOfOne: Int) -> Turns {
    // As many wait as for a thread, but without their responses.
    Turns(
      FairQueue(slots: slots, maxOfOne: maxOfOne, maxWaiting: 1000, maxWaitingOfOne: 100), timeout: .seconds(60))
  }
}
