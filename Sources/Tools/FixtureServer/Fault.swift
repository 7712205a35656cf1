import Core

/// What goes wrong instead of, or during, the normal response.
package enum Fault: Equatable, Sendable {
  /// A different response: an error status, a redirect, a web page with status 200.
  case response(Response)
  /// Sends nothing; the connection stays open until the client gives up.
  case hangBeforeResponse
  /// Sends the head and this many bytes of the body, then nothing more.
  case hangInsideBody(after: Int)
  /// Resets the connection (RST) before the status line.
  case reset
  /// Sends a correct `Content-Length` but only half of the body before closing the connection.
  case truncatedBody
  /// `Content-Length` is this many bytes too small.
  case shortLength(by: Int)
  /// A gzip body that expands to this many bytes of spaces.
  case gzipBomb(bytes: Int)
  /// Sends header fields without end.
  case endlessHeaders
  /// The correct response, at this many bytes per second.
  case drip(bytesPerSecond: Int)
  /// The correct response, in chunks of this many bytes (RFC 9112 §7.1).
  case chunked(size: Int)
  /// Sends exactly these bytes, from the status line on, and closes the connection.
  case raw([UInt8])

  /// A response with this error status.
  package static func status(_ status: Int) -> Fault { .response(.status(status)) }
}

/// Which requests a fault applies to.
package enum FaultScope: Equatable, Sendable {
  /// Every request.
  case all
  /// Requests with this key or target: `UCsXVk37bltHxD1rDPwtNM8Q`, `/feeds/videos.xml?user=nasa`.
  case key(String)
  /// Requests with this path, whatever their query.
  case path(String)
  /// Requests whose key hashes into this part of 0..<1, stable for each key: `0..<0.05` is 5 % of the channels.
  case share(Range<Double>)

  /// Whether the fault applies to `request`.
  func contains(_ request: Request) -> Bool {
    switch self {
    case .all: true
    case .key(let key): key == request.key || key == request.target
    case .path(let path): path == request.path
    case .share(let share): share.contains(FaultScope.position(of: request.key))
    }
  }

  /// The position of a key in 0..<1: evenly distributed and stable.
  static func position(of key: String) -> Double { Double(Fingerprint.of(key) >> 11) * 0x1p-53 }
}

/// How many times a fault occurs.
package enum FaultSpan: Equatable, Sendable {
  /// On every request in its scope.
  case always
  /// On the first n requests in its scope, counted together.
  case first(Int)
  /// On the first n requests of each key in its scope.
  case firstOfEach(Int)
}

/// A fault with its scope and span, and how often it has occurred.
struct FaultRule: Sendable {
  let fault: Fault
  let scope: FaultScope
  let span: FaultSpan
  private var total = 0
  private var counts: [String: Int] = [:]

  /// A rule that has not been applied yet.
  init(_ fault: Fault, scope: FaultScope, span: FaultSpan) {
    (self.fault, self.scope, self.span) = (fault, scope, span)
  }

  /// Returns the fault and counts it, if it applies to this request; otherwise nil.
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
