import HubCore
import HubLimits
import Hummingbird
import ReadModel
import SQLDrivers

/// How many long answers are sent at once, of all users and of one: each takes memory until its client has read it.
enum ResponseLimits {
  /// Answers above `small`, such as pages of videos.
  private static let long = turns(places: 32, maxOfOne: 8)
  /// Answers above `medium`, such as exports, up to some 30 MB each.
  private static let longest = turns(places: 8, maxOfOne: 2)

  /// Shorter answers are not counted. They are written in one go, and compressed where they are answered.
  private static let small = 1 << 16
  private static let medium = 1 << 20

  /// Whether an answer of so many bytes is long.
  static func isLong(_ count: Int) -> Bool { count > small }

  /// The response that `make` returns. A long one waits for a slot; it is discarded meanwhile, to use no memory, and made
  /// again. A call that must not be repeated does not wait.
  static func response(
    to request: Request, of visitor: Gatekeeper.Visitor, mayRepeat: Bool, _ make: () async throws -> HubAnswer
  ) async throws -> Response {
    let user = visitor.user ?? ""
    var place: Turns.Place?
    while true {
      switch try await sending(ResponseForm(try await make(), to: request), of: user, place) {
      case .response(let response): return response
      case .waits(let turns):
        guard mayRepeat else {
          throw HubProblem(429, "it is done, but the response is long, and you have others that are not read yet")
        }
        place = try await turns.place(of: user, until: Interruption.current)
      }
    }
  }

  /// What becomes of an answer.
  private enum Sending {
    case response(Response)
    /// It needs one of these places, and none is free for its user.
    case waits(Turns)
  }

  /// Sends an answer of a user if it is short, has a place, or gets one at once.
  private static func sending(_ form: ResponseForm, of user: String, _ place: Turns.Place?) async throws -> Sending {
    guard let count = form.longCount else { return .response(form.response) }
    let turns = count > medium ? longest : long
    guard let place = place ?? turns.freePlace(of: user) else { return .waits(turns) }
    return .response(try await form.response(holding: place, of: user))
  }

  private static func turns(places: Int, maxOfOne: Int) -> Turns {
    // As many wait as for a thread, but without their answers.
    Turns(
      FairQueue(places: places, maxOfOne: maxOfOne, maxWaiting: 1000, maxWaitingOfOne: 100), timeout: .seconds(60))
  }
}
