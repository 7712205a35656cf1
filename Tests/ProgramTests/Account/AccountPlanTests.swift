import Core
import FixtureServer
import PollEngine
import Testing

/// What a synchronisation is going to do, from values.
struct AccountPlanTests {
  private let ids = SyntheticChannel.first(40).compactMap { ChannelID($0.id) }

  private func listing(_ numbers: some Sequence<Int>, total: Int? = nil) -> AccountListing {
    AccountListing(
      entries: numbers.map { AccountListing.Entry(id: ids[$0], title: "") }, own: ids[39], total: total)
  }

  private func set(_ numbers: some Sequence<Int>) -> Set<ChannelID> { Set(numbers.map { ids[$0] }) }

  private func memory(_ listed: (some Sequence<Int>)?, tolerated: Int = 0) -> AccountMemory {
    var memory = AccountMemory()
    (memory.listed, memory.tolerated) = (listed.map(set), tolerated)
    return memory
  }

  @Test("At first all of the list is followed, but for what is followed already and the own channel")
  func first() {
    let plan = AccountPlan(
      listing([0, 1, 2, 39]), memory(nil as [Int]?), followed: set([1]), brought: [])
    #expect(plan.follow.map(\.id) == [ids[0], ids[2]] && plan.unfollow.isEmpty && plan.doubt == nil)
    #expect(plan.listed == set([0, 1, 2, 39]))
  }

  @Test("What the person unfollowed here is not followed again, unless it left the list and came back")
  func unfollowedHere() {
    #expect(AccountPlan(listing(0..<5), memory(0..<5), followed: set(1..<5), brought: []).follow.isEmpty)
    let left = AccountPlan(listing(1..<5), memory(0..<5), followed: set(1..<5), brought: [])
    var later = AccountMemory()
    later.listed = left.listed
    #expect(AccountPlan(listing(0..<5), later, followed: set(1..<5), brought: []).follow.map(\.id) == [ids[0]])
  }

  @Test("Only what the account brought is unfollowed")
  func unfollow() {
    let plan = AccountPlan(listing(0..<9), memory(0..<10), followed: set(0..<20), brought: set(0..<10))
    #expect(plan.unfollow == [ids[9]] && plan.doubt == nil)
  }

  @Test(
    "An empty, a cut and a halved list are doubtful, and what they lack is not new when it comes back",
    arguments: [
      (0, nil, AccountPlan.Doubt.empty), (0, 10, .empty), (9, 10, .cut), (5, nil, .halved), (4, 4, .halved),
      (6, nil, nil), (9, 9, nil),
    ] as [(Int, Int?, AccountPlan.Doubt?)])
  func doubt(_ count: Int, _ total: Int?, _ doubt: AccountPlan.Doubt?) {
    let plan = AccountPlan(
      listing(0..<count, total: total), memory(0..<10), followed: set(0..<10), brought: set(0..<10))
    #expect(plan.doubt == doubt && plan.unfollow == ids[count..<10].sorted())
    #expect(plan.listed == (doubt == nil ? set(0..<count) : set(0..<10)))
  }

  @Test("A list may lack as many as the person once accepted, and half of the list may go although little came from it")
  func tolerated() {
    func plan(_ memory: AccountMemory, _ total: Int, brought: Range<Int>, _ count: Int) -> AccountPlan.Doubt? {
      AccountPlan(listing(0..<count, total: total), memory, followed: set(0..<20), brought: set(brought)).doubt
    }
    #expect(plan(memory(0..<10, tolerated: 2), 11, brought: 0..<10, 9) == nil)
    #expect(plan(memory(0..<10, tolerated: 2), 12, brought: 0..<10, 9) == .cut)
    #expect(plan(memory(0..<20), 10, brought: 0..<11, 10) == .halved)
    #expect(plan(memory(0..<20), 10, brought: 0..<5, 10) == nil, "nothing to unfollow, so nothing to ask")
  }

  @Test("What is kept is read as it was written, and nonsense counts as nothing")
  func encoding() {
    let channels = ids.prefix(3).sorted().map { "\"\($0)\"" }.joined(separator: ",")
    let text = """
      {"own":"\(ids[5])","hidden":"\(ids[6])","listed":[\(channels)],"tolerated":2,\
      "question":{"doubt":"cut","channels":["\(ids[1])"],"listed":3,"brought":4,"missing":5},\
      "last":{"time":"2026-11-27T08:00:00Z","read":1,"followed":7,"unfollowed":2,"beyondLimit":3,\
      "action":"0019a1b2c3d4e-0000-k3v9x2ap","failure":"\\"why\\" <b>"}}
      """
    let memory = AccountMemory(json: Array(text.utf8))
    #expect(memory.listed == set(0..<3) && memory.own == ids[5] && memory.hidden == ids[6] && memory.tolerated == 2)
    #expect(memory.question?.doubt == .cut && memory.question?.missing == 5)
    #expect(memory.last?.failure == "\"why\" <b>" && memory.last?.action != nil && memory.last?.beyondLimit == 3)
    #expect(AccountMemory(json: memory.json) == memory && String(decoding: memory.json, as: UTF8.self) == text)
    for text in ["", "[]", "{\"listed\":3,\"question\":[],\"last\":{},\"own\":\"x\"}"] {
      #expect(AccountMemory(json: Array(text.utf8)) == AccountMemory())
    }
  }
}
