import Core

/// A message for one browser, as its push service is to treat it (RFC 8030 §5).
package struct PushMessage: Sendable {
  /// What the page's worker receives, UTF-8.
  package var text: [UInt8]
  /// How long the service keeps it for a browser that is not connected, seconds: at most four weeks.
  package var lifetime: Int
  package var urgency: Urgency
  /// A later message of the same topic replaces this one until it is delivered: at most 32 characters of base64url.
  package var topic: String?

  /// When a device is woken up.
  package enum Urgency: String, Sendable {
    case veryLow = "very-low"
    case low, normal, high
  }

  package init(text: [UInt8], lifetime: Int, urgency: Urgency, topic: String?) {
    (self.text, self.lifetime, self.urgency, self.topic) = (text, lifetime, urgency, topic)
  }

  /// A topic of 32 characters for what a name stands for: equal names have equal topics, which tell nothing of them.
  package static func topic(of name: String) -> String {
    Base64URL.encode(SHA256.digest(of: Array(name.utf8)).prefix(24))
  }

  /// The longest `lifetime` that services accept, seconds: 30 days at Mozilla's, 4 weeks at Google's.
  package static let longestLifetime = 28 * 86_400
}

/// A request to a push service: a `POST` of `body` to the endpoint.
package struct PushRequest: Sendable {
  package let endpoint: PushEndpoint
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]

  /// Encrypts a message with a new key and salt; nil if its text is too long.
  package init?(
    _ message: PushMessage, to endpoint: PushEndpoint, keys: PushKeys, from server: ServerIdentity, now: Timestamp
  ) {
    var generator = SystemRandomNumberGenerator()
    let salt = (0..<PushEncryption.saltLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    guard let body = PushEncryption.encrypt(message.text, to: keys, from: .make(), salt: salt) else { return nil }
    (self.endpoint, self.body) = (endpoint, body)
    let lifetime = min(max(message.lifetime, 0), PushMessage.longestLifetime)
    headers =
      [
        ("TTL", "\(lifetime)"), ("Urgency", message.urgency.rawValue), ("Content-Encoding", "aes128gcm"),
        ("Content-Type", "application/octet-stream"), ("Authorization", server.authorization(for: endpoint, now: now)),
      ] + (message.topic.map { [("Topic", $0)] } ?? [])
  }
}

/// What the response of a push service means for the message and for the subscription.
package enum PushVerdict: Equatable, Sendable {
  /// The service has the message. Whether a browser receives it is unknown.
  case accepted
  /// The subscription has ended and is to be deleted.
  case gone
  /// The message is too long for this service.
  case tooLong
  /// Nothing may be sent to this service for so long, seconds; nil if it did not say.
  case later(Int?)
  /// The service, or the way to it, does not work now.
  case unavailable
  /// The request is wrong; repeating it does not help.
  case refused(status: Int)

  /// The verdict on a status, of which 0 means that there was no response. `retryAfter` is in seconds from now.
  ///
  /// 410 is what Mozilla and Apple use for ended subscriptions, although RFC 8030 has it for receipts alone. Redirections
  /// are not followed: they would lead the hub to a host that nobody allowed.
  package init(status: Int, retryAfter: Int?) {
    self =
      switch status {
      case 200..<300: .accepted
      case 404, 410: .gone
      case 413: .tooLong
      case 429: .later(retryAfter)
      case 503 where retryAfter != nil: .later(retryAfter)
      case 0, 500..<600: .unavailable
      default: .refused(status: status)
      }
  }
}
