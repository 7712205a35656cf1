/// What goes wrong instead of, or with, the answer.
package enum Fault: Equatable, Sendable {
  /// Another answer: a status, a redirect, a web page with 200.
  case answer(Answer)
  /// Nothing is ever sent; the connection stays open until the client gives up.
  case hangBeforeAnswer
  /// The head and so many bytes of the body are sent, then nothing more.
  case hangInsideBody(after: Int)
  /// The connection is torn down (RST) before the status line.
  case reset
  /// `Content-Length` is right, but half of the body is sent before the connection ends.
  case truncatedBody
  /// `Content-Length` is so many bytes less than what is sent.
  case shortLength(by: Int)
  /// A body in gzip that becomes this many bytes of spaces.
  case gzipBomb(bytes: Int)
  /// Header fields without end.
  case endlessHeaders
  /// Right, but so many bytes each second.
  case drip(bytesPerSecond: Int)
  /// Right, but in chunks of so many bytes (RFC 9112 §7.1).
  case chunked(size: Int)
  /// Exactly these bytes from the status line on, and the end of the connection.
  case raw([UInt8])

  /// An answer of this status.
  package static func status(_ status: Int) -> Fault { .answer(.status(status)) }
}

/// Which requests a fault befalls.
package enum FaultScope: Equatable, Sendable {
  /// Every one.
  case all
  /// Those with this key or target: `UCsXVk37bltHxD1rDPwtNM8Q`, `/feeds/videos.xml?user=nasa`.
  case key(String)
  /// Those whose key falls into this part of 0..<1, always the same for one key: `0..<0.05` is 5 % of the channels.
  case share(Range<Double>)

  /// Whether the fault befalls `request`.
  func contains(_ request: Request) -> Bool {
    switch self {
    case .all: true
    case .key(let key): key == request.key || key == request.target
    case .share(let share): share.contains(FaultScope.position(of: request.key))
    }
  }

  /// Where a key lies in 0..<1, evenly and for ever (FNV-1a, its upper bits mixed into the lower).
  static func position(of key: String) -> Double {
    var hash = FNV1a.hash(key.utf8)
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    return Double((hash ^ hash >> 33) >> 11) * 0x1p-53
  }
}

/// How often a fault comes.
package enum FaultSpan: Equatable, Sendable {
  /// With every request in its scope.
  case always
  /// With the first so many requests in its scope, taken together.
  case first(Int)
  /// With the first so many requests of each key in its scope.
  case firstOfEach(Int)
}

/// A fault with its scope and span, and how often it came so far.
struct FaultRule: Sendable {
  let fault: Fault
  let scope: FaultScope
  let span: FaultSpan
  private var total = 0
  private var counts: [String: Int] = [:]

  /// A rule that has not been used yet.
  init(_ fault: Fault, scope: FaultScope, span: FaultSpan) {
    self.fault = fault
    self.scope = scope
    self.span = span
  }

  /// The fault, counted, where it befalls this request.
  mutating func strike(_ request: Request) -> Fault? {
    guard scope.contains(request) else { return nil }
    switch span {
    case .always: return fault
    case .first(let limit):
      guard total < limit else { return nil }
      total += 1
    case .firstOfEach(let limit):
      guard counts[request.key, default: 0] < limit else { return nil }
      counts[request.key, default: 0] += 1
    }
    return fault
  }
}
