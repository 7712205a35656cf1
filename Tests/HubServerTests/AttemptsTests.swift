import Testing

@testable import HubLimits
@testable import metube_hub

@Suite("Attempts and addresses")
struct AttemptsTests {
  private let now = ContinuousClock.now

  @Test("As many attempts as the limit in a minute, then a wait until its end")
  func limit() {
    var attempts = Attempts()
    let keys: [Attempts.Key] = [.address("192.0.2.1"), .name("ann")]
    for second in 0..<5 {
      #expect(attempts.wait(keys, at: now + .seconds(second)) == nil)
      attempts.reserve(keys, at: now + .seconds(second))
    }
    #expect(attempts.wait(keys, at: now + .seconds(10)) == .seconds(50))
    #expect(attempts.wait([.address("192.0.2.1"), .name("bob")], at: now + .seconds(10)) == nil)
    #expect(attempts.wait([.pair("ann", "192.0.2.1")], at: now + .seconds(10)) == nil)
    #expect(attempts.wait(keys, at: now + .seconds(60)) == nil)
  }

  @Test("What is given back can be taken again, but not in the next minute")
  func release() {
    var attempts = Attempts()
    let keys: [Attempts.Key] = [.name("ann")]
    for _ in 0..<5 { attempts.reserve(keys, at: now) }
    attempts.release(keys, reserved: now, at: now + .seconds(1))
    #expect(attempts.wait(keys, at: now + .seconds(1)) == nil)
    attempts.reserve(keys, at: now + .seconds(1))
    let next = now + .seconds(70)
    for _ in 0..<5 { attempts.reserve(keys, at: next) }
    attempts.release(keys, reserved: now + .seconds(1), at: next)
    #expect(attempts.wait(keys, at: next) == .seconds(60))
  }

  @Test("What other processes counted counts")
  func shared() {
    var attempts = Attempts()
    attempts.reserve([.name("ann")], at: now)
    attempts.learn(.name("ann"), count: 5, until: now + .seconds(20), at: now)
    #expect(attempts.wait([.name("ann")], at: now) == .seconds(20))
    attempts.learn(.name("ann"), count: 2, until: now + .seconds(40), at: now)
    #expect(attempts.wait([.name("ann")], at: now) == .seconds(20), "it knew of more")
    #expect(attempts.wait([.name("ann")], at: now + .seconds(20)) == nil)
  }

  @Test("A table is bounded, and what was set last stays; addresses make no name forgotten")
  func bounded() {
    var table = BoundedTable<Int, Int>(maximum: 10)
    for number in 0..<1000 { table[number] = number }
    #expect(table.count <= 10 && table[999] == 999 && table[0] == nil)
    table[999] = nil
    #expect(table[999] == nil)
    var attempts = Attempts(maxKeys: 10)
    for _ in 0..<5 { attempts.reserve([.name("ann")], at: now) }
    for number in 0..<100 { attempts.reserve([.address("\(number)")], at: now) }
    #expect(attempts.wait([.name("ann")], at: now) != nil)
  }

  @Test(
    "Addresses of IPv6 count by their /64",
    arguments: [
      ("192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8:0:0::/64"), ("2001:db8::ffff:1:2:3", "2001:db8:0:0::/64"),
      ("2001:DB8:0:1::1", "2001:db8:0:1::/64"), ("::ffff:192.0.2.1", "192.0.2.1"), ("fe80::1%eth0", "fe80:0:0:0::/64"),
      ("", ""), ("unknown", "unknown"), ("1::2::3", "1::2::3"),
    ])
  func blocks(_ address: String, _ block: String) { #expect(AddressBlock.containing(address) == block) }
}
