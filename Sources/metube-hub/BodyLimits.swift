import Commands
import Hummingbird

/// How many long bodies clients may send at once, of all users and of one: each takes room until it is used.
enum BodyLimits {
  /// Files, up to 64 MiB each on the disk.
  static let files = turns(places: 8, mostOfOne: 2)
  /// Other bodies above `small`, up to 8 MiB each in memory.
  static let memory = turns(places: 8, mostOfOne: 2)

  /// Shorter bodies are not counted.
  static let small = 64 << 10

  /// The places of which a request needs one before its body is read; nil if it needs none.
  static func turns(for request: Request, _ body: HubRoute.Body) -> Turns? {
    switch body {
    case .none: return nil
    case .file, .upload: return files
    case .bytes, .form, .json, .lines, .members:
      guard request.hasBody else { return nil }
      let length = request.headers[.contentLength].flatMap { Int($0) } ?? .max
      return length > small ? memory : nil
    }
  }

  private static func turns(places: Int, mostOfOne: Int) -> Turns {
    Turns(
      FairQueue(places: places, mostOfOne: mostOfOne, mostWaiting: 64, mostWaitingOfOne: 8), patience: .seconds(10))
  }
}
