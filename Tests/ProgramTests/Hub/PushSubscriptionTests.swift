import HubStore
import Testing

private let hour: Int64 = 3600
private let day: Int64 = 86_400
private let start: Int64 = 1_800_000_000

private func subscription() -> PushSubscription {
  PushSubscription(
    channel: "UC", callback: "c", secret: "s", hub: "https://hub.example/", topic: "https://topic.example/")
}

private func subscribed(for seconds: Int64? = 5 * day) -> PushSubscription {
  var one = subscription()
  one.noteSent(.subscribe, at: start)
  one.noteSubscribed(for: seconds, at: start)
  return one
}

@Test("A lease is renewed before it ends, and kept while the renewal fails")
func renewal() {
  var one = subscribed()
  #expect(one.next(at: start + 4 * day - 1, isWanted: true) == nil)
  #expect(one.next(at: start + 4 * day, isWanted: true) == .send(.subscribe))
  one.noteSent(.subscribe, at: start + 4 * day)
  one.noteRefused(at: start + 4 * day)
  #expect(one.isActive(at: start + 5 * day - 1) && !one.isActive(at: start + 5 * day))
  #expect(one.next(at: start + 4 * day + 899, isWanted: true) == nil)
  #expect(one.next(at: start + 4 * day + 900, isWanted: true) == .send(.subscribe))
  one.noteSent(.subscribe, at: start + 4 * day + 900)
  #expect(one.confirms(.subscribe, topic: one.topic, at: start + 4 * day + 901))
  one.noteSubscribed(for: 5 * day, at: start + 4 * day + 901)
  #expect(one.isActive(at: start + 9 * day) && one.pending == nil && one.failures == 0)
}

@Test("Leases are as long as hubs say, within reason")
func leases() {
  #expect(subscribed(for: nil).lease?.length == 5 * day)
  #expect(subscribed(for: 1).lease?.length == 60 && subscribed(for: -1).lease?.length == 60)
  #expect(subscribed(for: .max).lease?.length == 30 * day)
  // A hub with short leases is not asked without end.
  #expect(subscribed(for: 60).next(at: start + 59, isWanted: true) == nil)
}

@Test("A request that is never verified is repeated after an hour, then ever less often")
func unverified() {
  var (one, now, times) = (subscription(), start, [Int64]())
  for _ in 0..<12 {
    while one.next(at: now, isWanted: true) == nil { now += 60 }
    #expect(one.next(at: now, isWanted: true) == .send(.subscribe))
    one.noteSent(.subscribe, at: now)
    times.append(now)
  }
  let waits = zip(times.dropFirst(), times).map { $0 - $1 }
  #expect(waits.first == hour && waits.last == day && waits == waits.sorted())
}

@Test("Only what was asked for is confirmed, and only as long as it is awaited")
func confirmed() {
  var one = subscription()
  #expect(!one.confirms(.subscribe, topic: one.topic, at: start), "nothing was asked")
  one.noteSent(.subscribe, at: start)
  #expect(one.confirms(.subscribe, topic: one.topic, at: start + 1))
  #expect(!one.confirms(.unsubscribe, topic: one.topic, at: start + 1))
  #expect(!one.confirms(.subscribe, topic: "https://other.example/", at: start + 1))
  #expect(!one.confirms(.subscribe, topic: one.topic, at: start + hour))
  one.noteSubscribed(for: day, at: start + 1)
  #expect(one.confirms(.subscribe, topic: one.topic, at: start + 2), "the hub may not have received the response")
  #expect(!one.confirms(.unsubscribe, topic: one.topic, at: start + 2))
  #expect(!one.confirms(.subscribe, topic: one.topic, at: start + 2 * hour))
}

@Test("What is no longer wanted is ended, at most three times, and removed")
func ended() {
  var (one, now, count) = (subscribed(), start + day, 0)
  while one.next(at: now, isWanted: false) != .remove {
    if one.next(at: now, isWanted: false) == .send(.unsubscribe) {
      one.noteSent(.unsubscribe, at: now)
      count += 1
    }
    now += 60
  }
  #expect(count == 3)
  #expect(subscribed().next(at: start + 1, isWanted: false) == .send(.unsubscribe), "at once")
  var other = subscribed()
  other.noteSent(.unsubscribe, at: start + day)
  #expect(other.confirms(.unsubscribe, topic: other.topic, at: start + day))
  other.noteEnded(at: start + day)
  #expect(!other.isActive(at: start + day) && other.next(at: start + day, isWanted: false) == .remove)
  #expect(subscription().next(at: start, isWanted: false) == .remove, "never asked for")
}

@Test("A denial ends the lease; a day later it is tried again")
func denied() {
  var one = subscribed()
  one.noteEnded(at: start + hour)
  #expect(!one.isActive(at: start + hour) && one.next(at: start + day, isWanted: true) == nil)
  #expect(one.next(at: start + hour + day, isWanted: true) == .send(.subscribe))
}

@Test(
  "Signatures are checked by every method of the recommendation",
  arguments: [
    ("sha1", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
    ("sha256", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    ("SHA256", "5BDCC146BF60754E6A042426089575C75A003F089D2739839DEC58B964EC3843"),
    (
      "sha512",
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
    ),
  ])
func signatures(_ method: String, _ digest: String) {
  // The second test case of RFC 2202 and RFC 4231.
  let body = Array("what do ya want for nothing?".utf8)
  #expect(PushSignature.isRight("\(method)=\(digest)", of: body, secret: "Jefe"))
  #expect(!PushSignature.isRight("\(method)=\(digest)", of: body + [0], secret: "Jefe"))
  #expect(!PushSignature.isRight("\(method)=\(digest)", of: body, secret: "jefe"))
  #expect(!PushSignature.isRight("\(method)=\(digest.dropLast(2))", of: body, secret: "Jefe"))
  for wrong in [nil, "", "=", "\(method)=", "md5=\(digest)", digest, "\(method)=\(digest)0", "\(method)=zz"] {
    #expect(!PushSignature.isRight(wrong, of: body, secret: "Jefe"), "\(wrong ?? "absent")")
  }
}
