import HubCore
import HubLimits
import Hummingbird

/// How many long bodies clients may send at once, of all users and of one: each takes room until it is used.
enum BodyLimits {
  /// Files, up to 64 MiB each on the disk.
  static let files = turns(slots: 8, maxOfOne: 2)
  /// Other bodies above `small`, up to 8 MiB each in memory.
  static let memory = turns(slots: 8, maxOfOne: 2)

  /// Pushes above `small`, by their callbacks, up to 1 MiB each in memory.
  static let pushes = turns(slots: 4, maxOfOne: 2)

  /// Shorter bodies are not counted.
  static let small = 64 << 10

  /// How many bytes a body may have that is for the server itself, not for a log.
  static func maxBytes(_ access: HubRoute.Access) -> Int { access == .open ? 16 << 10 : small }

  /// The slots from which a request needs one before its body is read; nil if it needs none.
  static func turns(for request: Request, _ body: HubRoute.Body) -> Turns? {
    switch body {
    case .none: return nil
    case .file, .upload: return files
    case .bytes, .form, .json, .lines, .members: return isLong(request) ? memory : nil
    }
  }

  /// Whether a request may have a body above `small`.
  static func isLong(_ request: Request) -> Bool {
    guard request.hasBody else { return false }
    return request.headers[.contentLength].flatMap { Int($0) } ?? .max > small
  }

  private static func turns(slots: Int, maxOfOne: Int) -> Turns {
    Turns(
      FairQueue(slots: slots, maxOfOne: maxOfOne, maxWaiting: 64, maxWaitingOfOne: 8), timeout: .seconds(10))
  }
}
