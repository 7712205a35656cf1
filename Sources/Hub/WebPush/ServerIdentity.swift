import Core

/// Who sends pushes, for push services (VAPID, RFC 8292): a key, and how its owner can be reached.
package struct ServerIdentity: Sendable {
  package let key: PrivateKey
  /// A `mailto:` or `https:` URI.
  package let contact: String

  /// How long a token is valid: half of what RFC 8292 §2 allows, because clocks differ.
  package static let lifetime = 12 * 3600

  /// Nil if the contact is not a `mailto:` URI with an address or an `https:` URI, or is local: Apple refuses tokens with
  /// these, and with blanks or brackets, as of 2026-11.
  package init?(key: PrivateKey, contact: String) {
    guard let host = ServerIdentity.host(of: contact) else { return nil }
    guard host != "localhost", !host.hasSuffix(".localhost"), !host.hasSuffix(".local"), host.contains(".") else {
      return nil
    }
    (self.key, self.contact) = (key, contact)
  }

  private static func host(of contact: String) -> String? {
    guard contact.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !Array("\"<>\\".utf8).contains($0) }) else { return nil }
    if contact.hasPrefix("mailto:") {
      let parts = contact.dropFirst("mailto:".count).split(separator: "@", omittingEmptySubsequences: false)
      return parts.count == 2 && !parts[0].isEmpty ? parts[1].lowercased() : nil
    }
    guard let url = WebURL(contact), url.isSecure else { return nil }
    return url.host
  }

  /// The value of `Authorization` for an endpoint: `vapid t=…, k=…`.
  package func authorization(for endpoint: PushEndpoint, now: Timestamp) -> String {
    let header = #"{"typ":"JWT","alg":"ES256"}"#
    let claims =
      #"{"aud":"\#(endpoint.url.origin)","exp":\#(now.seconds + Int64(ServerIdentity.lifetime)),"sub":"\#(contact)"}"#
    let signed = [header, claims].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
    let signature = Base64URL.encode(key.signature(of: Array(signed.utf8)))
    return "vapid t=\(signed).\(signature), k=\(Base64URL.encode(key.publicKey.bytes))"
  }
}
