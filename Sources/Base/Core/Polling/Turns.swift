extension Array {
  /// The elements in turns of users: the first one of each user, then the next one of each. What several users share
  /// comes in the first of their turns, and what no user has at the end. `users` have the keys of elements.
  package func inTurns<Key: Hashable>(of users: [[Key]], by key: (Element) -> Key) -> [Element] {
    guard users.count > 1 else { return self }
    var sharers: [Key: [Int]] = [:]
    for (user, keys) in users.enumerated() {
      for key in keys { sharers[key, default: []].append(user) }
    }
    // The places of each user's elements, in order, and how far they were looked through.
    var queues = users.map { _ in (places: [Int](), next: 0) }
    for (place, element) in enumerated() {
      for user in sharers[key(element)] ?? [] { queues[user].places.append(place) }
    }
    var result: [Element] = []
    var isTaken = [Bool](repeating: false, count: count)
    func take(_ place: Int) {
      result.append(self[place])
      isTaken[place] = true
    }
    var waiting = Array<Int>(queues.indices)
    while !waiting.isEmpty {
      waiting.removeAll { user in
        while queues[user].next < queues[user].places.count {
          let place = queues[user].places[queues[user].next]
          queues[user].next += 1
          guard !isTaken[place] else { continue }
          take(place)
          return false
        }
        return true
      }
    }
    for place in indices where !isTaken[place] { take(place) }
    return result
  }
}
