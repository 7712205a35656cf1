import Core
import Testing

@testable import WebPush

/// The example of RFC 8291 §5 and appendix A.
private enum Example {
  static let text = "When I grow up, I want to be a watermelon"
  static let privateKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
  static let publicKey = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
  static let receiver = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
  static let receiverPrivate = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
  static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
  static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
  static let secret = "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs"
  static let body = """
    DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl\
    7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
    """

  static func key(_ privateKey: String, _ publicKey: String) throws -> PrivateKey {
    let point = try #require(Base64URL.decode(publicKey).flatMap { PublicKey($0) })
    let number = try #require(Base64URL.decode(privateKey))
    return try #require(PrivateKey(number, publicKey: point))
  }
}

@Suite struct PushEncryptionTests {
  @Test("The example of RFC 8291 is encrypted byte for byte")
  func example() throws {
    let key = try Example.key(Example.privateKey, Example.publicKey)
    let keys = try #require(PushKeys(p256dh: Example.receiver, auth: Example.auth))
    #expect(key.secret(with: keys.publicKey).map { Base64URL.encode($0) } == Example.secret)
    let body = PushEncryption.encrypt(
      Array(Example.text.utf8), to: keys, from: key, salt: try #require(Base64URL.decode(Example.salt)))
    #expect(body.map { Base64URL.encode($0) } == Example.body)
  }

  @Test("Both sides derive the same secret")
  func secrets() throws {
    let (one, other) = (PrivateKey.make(), PrivateKey.make())
    #expect(one.bytes != other.bytes)
    let secret = try #require(one.secret(with: other.publicKey))
    #expect(secret == other.secret(with: one.publicKey))
  }

  @Test("A message has at most 3,993 bytes, which make a body of 4,096")
  func limit() throws {
    let keys = try #require(PushKeys(p256dh: Example.receiver, auth: Example.auth))
    let (key, salt) = (PrivateKey.make(), [UInt8](repeating: 7, count: 16))
    let body = PushEncryption.encrypt(
      [UInt8](repeating: 32, count: PushEncryption.limit), to: keys, from: key, salt: salt)
    #expect(body?.count == 4096)
    let longer = [UInt8](repeating: 32, count: PushEncryption.limit + 1)
    #expect(PushEncryption.encrypt(longer, to: keys, from: key, salt: salt) == nil)
    #expect(PushEncryption.encrypt([], to: keys, from: key, salt: [1, 2]) == nil)
  }

  @Test(
    "Keys that are too short, off the curve or in another form are refused",
    arguments: [
      (Example.receiver, "BTBZMqHH6r4Tts7J_aSI"), (String(Example.receiver.dropLast(4)), Example.auth), ("", ""),
      ("A" + Example.receiver.dropFirst(), Example.auth), (Example.receiver.dropLast(3) + "AAA", Example.auth),
      (Example.receiver + "!", Example.auth),
    ])
  func refused(p256dh: String, auth: String) {
    #expect(PushKeys(p256dh: p256dh, auth: auth) == nil)
  }

  @Test("A private key with the public key of another is refused")
  func pairs() throws {
    let (one, other) = (PrivateKey.make(), PrivateKey.make())
    #expect(PrivateKey(one.bytes, publicKey: other.publicKey) == nil)
    #expect(PrivateKey(one.bytes, publicKey: one.publicKey) != nil)
    #expect(PrivateKey([UInt8](repeating: 0, count: 32), publicKey: one.publicKey) == nil)
    let receiver = try Example.key(Example.receiverPrivate, Example.receiver)
    #expect(Base64URL.encode(receiver.publicKey.bytes) == Example.receiver)
  }
}

@Suite struct ServerIdentityTests {
  private let now = Timestamp(seconds: 1_790_000_000)

  @Test("A token names the service, ends after twelve hours and has the server's signature")
  func token() throws {
    let key = PrivateKey.make()
    let server = try #require(ServerIdentity(key: key, contact: "mailto:person@example.org"))
    let endpoint = try #require(PushEndpoint("https://push.example:8443/a?b=c", alsoAllowed: ["push.example"]))
    let value = server.authorization(for: endpoint, now: now)
    let parts = value.split(separator: ", k=")
    try #require(parts.count == 2 && parts[0].hasPrefix("vapid t="))
    #expect(parts[1] == Base64URL.encode(key.publicKey.bytes))
    let token = parts[0].dropFirst("vapid t=".count).split(separator: ".")
    try #require(token.count == 3)
    let texts = token.prefix(2).map { Base64URL.decode($0).map { String(decoding: $0, as: UTF8.self) } }
    #expect(texts[0] == #"{"typ":"JWT","alg":"ES256"}"#)
    #expect(texts[1] == #"{"aud":"https://push.example:8443","exp":1790043200,"sub":"mailto:person@example.org"}"#)
    let signature = try #require(Base64URL.decode(token[2]))
    let signed = Array("\(token[0]).\(token[1])".utf8)
    #expect(key.publicKey.verifies(signature, of: signed))
    #expect(!key.publicKey.verifies(signature, of: signed + [0]))
    #expect(!PrivateKey.make().publicKey.verifies(signature, of: signed))
  }

  @Test("Signatures whose numbers begin with zeros keep their 64 bytes")
  func signatures() {
    let key = PrivateKey.make()
    for number in 0..<600 {
      let text = Array("text \(number)".utf8)
      let signature = key.signature(of: text)
      #expect(signature.count == 64 && key.publicKey.verifies(signature, of: text))
    }
    #expect(
      DERSignature.decode([0x30, 6, 2, 1, 5, 2, 1, 6]) == [UInt8](repeating: 0, count: 31) + [5]
        + [UInt8](repeating: 0, count: 31) + [6])
    let malformed: [[UInt8]] = [
      [], [0x30], [0x30, 6, 2, 1, 5, 2, 9, 6], [0x30, 3, 2, 1, 5], [0x30, 7, 2, 1, 5, 2, 1, 6, 0],
    ]
    for bytes in malformed {
      #expect(DERSignature.decode(bytes) == nil)
    }
  }

  @Test(
    "Contacts that a service refuses are not taken",
    arguments: [
      "person@example.org", "mailto:", "mailto:@example.org", "mailto: <person@example.org>", "mailto:a@localhost",
      "mailto:a@printer.local", "http://example.org", "https://localhost/", "https://intranet", "mailto:a@b\"c.org",
      "mailto:a@b@example.org",
    ])
  func contacts(contact: String) {
    #expect(ServerIdentity(key: .make(), contact: contact) == nil)
  }

  @Test("A contact may be a page")
  func page() {
    #expect(ServerIdentity(key: .make(), contact: "https://videos.example.org/about") != nil)
  }
}

@Suite struct PushEndpointTests {
  @Test(
    "Endpoints of the browsers' services are accepted",
    arguments: [
      "https://fcm.googleapis.com/fcm/send/abc", "https://updates.push.services.mozilla.com/wpush/v2/x",
      "https://web.push.apple.com/Q", "https://db5p.notify.windows.com/w/?token=a%2fb", "https://FCM.googleapis.com/x",
    ])
  func known(text: String) {
    #expect(PushEndpoint(text, alsoAllowed: []) != nil)
  }

  @Test(
    "Other hosts, schemes, ports and passwords are refused",
    arguments: [
      "http://fcm.googleapis.com/a", "https://127.0.0.1/a", "https://fcm.googleapis.com.example/a",
      "https://evilfcm.googleapis.com/a", "https://fcm.googleapis.com:8443/a", "https://a:b@fcm.googleapis.com/a",
      "https://.notify.windows.com/a", "https://notify.windows.com/a", "https://evilnotify.windows.com/", "file:///etc",
      "https://fcm.googleapis.com@169.254.169.254/", "https://fcm.googleapis.com/a#b", "",
    ])
  func refused(text: String) {
    #expect(PushEndpoint(text, alsoAllowed: []) == nil)
  }

  @Test("An administrator may allow a host, on any port")
  func allowed() {
    #expect(PushEndpoint("https://push.home.example:444/up", alsoAllowed: ["push.home.example"]) != nil)
    #expect(PushEndpoint("https://push.home.example.org/up", alsoAllowed: ["push.home.example"]) == nil)
  }
}

@Suite struct PushRequestTests {
  private func request(_ message: PushMessage) throws -> PushRequest? {
    let server = try #require(ServerIdentity(key: .make(), contact: "mailto:person@example.org"))
    let endpoint = try #require(PushEndpoint("https://fcm.googleapis.com/fcm/send/abc", alsoAllowed: []))
    let keys = try #require(PushKeys(p256dh: Example.receiver, auth: Example.auth))
    return PushRequest(message, to: endpoint, keys: keys, from: server, now: Timestamp(seconds: 1_790_000_000))
  }

  @Test("A request has the headers of RFC 8030, and another key and salt each time")
  func headers() throws {
    let message = PushMessage(
      text: Array("{}".utf8), lifetime: 9_999_999, urgency: .veryLow, topic: PushMessage.topic(of: "channel"))
    let one = try #require(try request(message))
    let other = try #require(try request(message))
    let headers = Dictionary(uniqueKeysWithValues: one.headers.map { ($0.name, $0.value) })
    #expect(headers["TTL"] == "2419200" && headers["Urgency"] == "very-low")
    #expect(headers["Content-Encoding"] == "aes128gcm" && headers["Topic"]?.utf8.count == 32)
    #expect(headers["Topic"] != PushMessage.topic(of: "other"))
    #expect(one.body.prefix(16) != other.body.prefix(16))
    #expect(one.body[21..<86] != other.body[21..<86])
    #expect(one.body.count == 2 + 103)
  }

  @Test("A text that is too long makes no request")
  func tooLong() throws {
    let text = [UInt8](repeating: 32, count: PushEncryption.limit + 1)
    #expect(try request(PushMessage(text: text, lifetime: 0, urgency: .high, topic: nil)) == nil)
  }

  @Test(
    "Statuses say what to do with message and subscription",
    arguments: [
      (201, nil, .accepted), (200, nil, .accepted), (404, nil, .gone), (410, nil, .gone), (413, nil, .tooLong),
      (429, 30, .later(30)), (429, nil, .later(nil)), (503, 9, .later(9)), (503, nil, .unavailable),
      (500, nil, .unavailable), (0, nil, .unavailable), (301, nil, .refused(status: 301)),
      (403, nil, .refused(status: 403)), (400, nil, .refused(status: 400)),
    ] as [(Int, Int?, PushVerdict)])
  func verdicts(status: Int, retryAfter: Int?, verdict: PushVerdict) {
    #expect(PushVerdict(status: status, retryAfter: retryAfter) == verdict)
  }

  @Test("base64url is read with and without padding, and nothing else")
  func base64() {
    for count in 0..<40 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 250) }
      let text = Base64URL.encode(bytes)
      #expect(Base64URL.decode(text) == bytes && Base64URL.decode(text + "==") == bytes)
    }
    for text in ["A", "AB+/", "AB CD", "AQ==A", "AR", "é"] { #expect(Base64URL.decode(text) == nil) }
  }
}
