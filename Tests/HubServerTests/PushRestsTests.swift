import HubPush
import Testing

@Suite("Pauses of WebSub hubs")
struct PushRestsTests {
  private static let (failing, other) = ("https://hub.example/subscribe", "https://hub.test:8443/")

  @Test("A hub that fails pauses itself, ever longer, and no other one")
  func alone() {
    var rests = PushRests()
    #expect(rests.noteFailure(PushRestsTests.failing, retryAfter: nil, at: 1000) == 900)
    #expect(rests.isResting(PushRestsTests.failing, at: 1899) && !rests.isResting(PushRestsTests.failing, at: 1900))
    #expect(rests.isResting("https://HUB.example?x", at: 1899), "the same hub by another path")
    #expect(!rests.isResting(PushRestsTests.other, at: 1000))
    rests.noteAccepted(PushRestsTests.other)
    #expect(rests.noteFailure(PushRestsTests.failing, retryAfter: nil, at: 2000) == 1800)
    #expect(rests.noteFailure(PushRestsTests.other, retryAfter: 5000, at: 2000) == 5000)
    #expect(rests.noteFailure(PushRestsTests.other, retryAfter: 1 << 40, at: 2000) == 86_400)
    rests.noteAccepted(PushRestsTests.failing)
    #expect(!rests.isResting(PushRestsTests.failing, at: 2000))
    #expect(rests.noteFailure(PushRestsTests.failing, retryAfter: nil, at: 2000) == 900)
  }

  @Test("The thousand failing hubs with the longest pauses are remembered, however many fail")
  func many() {
    var rests = PushRests()
    for number in 0..<(2 * PushRests.maximum) {
      _ = rests.noteFailure("https://hub\(number).example/", retryAfter: nil, at: Int64(number))
    }
    #expect(rests.isResting("https://hub\(2 * PushRests.maximum - 1).example/", at: 2000))
    #expect(
      (0..<(2 * PushRests.maximum)).count { rests.isResting("https://hub\($0).example/", at: 0) } == PushRests.maximum)
  }
}
