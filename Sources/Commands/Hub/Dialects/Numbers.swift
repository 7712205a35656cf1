/// The kinds of things that other programs know by numbers.
package enum NumberKind: String, Sendable {
  case video, channel, tag
  /// A video in the order in which a user came to see it.
  case sequence
}

/// The numbers of videos, channels and tags, for programs that know things by integers: positive, below 2^31, in the order
/// of first sight, never reused.
package protocol Numbers: AnyObject {
  /// The numbers of things of a kind, in their order; each gets one at first sight.
  func numbers(of ids: [String], _ kind: NumberKind) throws -> [Int]
  /// The things that have these numbers, in their order; nil for a number that none has.
  func ids(of numbers: [Int], _ kind: NumberKind) throws -> [String?]
}
