extension Array {
  /// The elements in turns of users: the first one of each user, then the next one of each. What several users share
  /// comes in the first of their turns, and what no user has at the end. `users` have the keys of elements.
  package func inTurns<Key: Hashable>(of users: [[Key]], by key: (Element) -> Key) -> [Element] {
    guard users.count > 1 else { return self }
    var sharers: [Key: [Int]] = [:]
    for (user, keys) in users.enumerated() {
      for key in keys { sharers[key, default: []].append(user) }
    }
    // The positions of each user's elements, in order, and how far they were looked through.
    var queues = users.map { _ in (positions: [Int](), next: 0) }
    for (position, element) in enumerated() {
      for user in sharers[key(element)] ?? [] { queues[user].positions.append(position) }
    }
    var result: [Element] = []
    var isTaken = [Bool](repeating: false, count: count)
    func take(_ position: Int) {
      result.append(self[position])
      isTaken[position] = true
    }
    var waiting = Array<Int>(queues.indices)
    while !waiting.isEmpty {
      waiting.removeAll { user in
        while queues[user].next < queues[user].positions.count {
          let position = queues[user].positions[queues[user].next]
          queues[user].next += 1
          guard !isTaken[position] else { continue }
          take(position)
          return false
        }
        return true
      }
    }
    for position in indices where !isTaken[position] { take(position) }
    return result
  }
}
