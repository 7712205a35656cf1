import Core

extension Journal {
  /// The events of an action that decided something, in the order of the files.
  package func events(of action: EventID) throws(LogError) -> [Event] {
    try events(with: [EventKey(action: action)]) { $0.body.isUserAction && $0.action == action }
  }

  /// The events about a video, by id, each once.
  package func events(about video: VideoID) throws(LogError) -> [Event] {
    var events: [EventID: Event] = [:]
    for event in try self.events(with: [EventKey(video)], where: { $0.body.video == video }) {
      events[event.id] = event
    }
    return events.values.sorted { $0.id < $1.id }
  }

  /// The decisions as they would be without some actions and without what took those back, and as they would be without
  /// one action more; as far as they are about the same as some events are. What YouTube said is left out.
  package func states(
    without undone: Set<EventID>, and action: EventID, about events: [Event]
  ) throws(LogError) -> (state: State, before: State) {
    var (state, before) = (State(), State())
    let now = now()
    let keys = Set(events.compactMap { EventKey(subjectOf: $0.body) })
    func isRequested(_ event: Event) -> Bool { EventKey(subjectOf: event.body).map(keys.contains) ?? false }
    for event in try self.events(with: keys, where: isRequested) {
      guard event.setsDecision, !undone.contains(event.action), !clock.isAhead(event.id, of: now) else {
        continue
      }
      if let undoes = event.undoes, undone.contains(undoes) { continue }
      state.apply(event)
      if event.action != action, event.undoes != action { before.apply(event) }
    }
    return (state, before)
  }

  /// How far each file of the logs was read, by which two moments are told apart.
  package var extent: [UInt32: UInt64] {
    Dictionary(current.values.map { ($0.index, $0.end) }) { first, _ in first }
  }

  /// The events under some keys that `isWanted` says, in the order of the files: by their places as far as these are
  /// known, and by reading what comes after.
  private func events(
    with keys: Set<EventKey>, where isWanted: (Event) -> Bool
  ) throws(LogError) -> [Event] {
    let files = current.values.sorted { $0.index < $1.index }
    let known = try places(of: files)
    let places = known.map { known in keys.flatMap { known[$0] } } ?? []
    // To find so many lines takes longer than to read all.
    let isRead = known == nil || places.count > Journal.mostPlaces
    var events: [Event] = []
    for file in files {
      let number = known?.covered.firstIndex { $0.name == Directory.name(of: file.path) }
      var end: UInt64 = 0
      if !isRead, let number, let known {
        end = known.covered[number].end
        let offsets = Set(places.filter { $0.file == number }.map(\.offset)).sorted()
        try file.forEachEvent(at: offsets) { if isWanted($0) { events.append($0) } }
      }
      try file.forEachEvent(from: end) { event, _ in if isWanted(event) { events.append(event) } }
    }
    return events
  }

  private static let mostPlaces = 3000

  /// The places in the cache, brought up to date where much was appended since; nil where the logs are so small that
  /// reading them takes no longer, or where they cannot be kept.
  private func places(of files: [LogFile]) throws(LogError) -> EventPlaces? {
    guard files.reduce(0, { $0 + $1.end }) > leastForPlaces else { return nil }
    let known = try EventPlaces(in: folders).flatMap { (known) throws(LogError) in
      try known.isValid(for: files) ? known : nil
    }
    let covered = known?.covered.reduce(0) { $0 + $1.end } ?? 0
    if let known, files.reduce(0, { $0 + $1.end }) - covered <= leastForPlaces { return known }
    // A cache that cannot be written is nothing to be told of.
    try? EventPlaces.write(places(after: known, in: files), Coverage.Covered.all(of: files), in: folders)
    return EventPlaces(in: folders)
  }

  /// The places known, and those of what comes after them; under the numbers that the files have now.
  private func places(after known: EventPlaces?, in files: [LogFile]) throws(LogError) -> [EventPlace] {
    var places: [EventPlace] = []
    let numbers = known?.covered.map { covered in files.firstIndex { Directory.name(of: $0.path) == covered.name } }
    for position in 0..<(known?.count ?? 0) {
      guard var place = known?[position], let number = numbers?[place.file] else { continue }
      place.file = number
      places.append(place)
    }
    for (number, file) in files.enumerated() {
      let end = known?.covered.first { $0.name == Directory.name(of: file.path) }?.end ?? 0
      try file.forEachEvent(from: end) { event, offset in
        places += EventKey.keys(of: event).map { EventPlace(key: $0, file: number, offset: offset) }
      }
    }
    return places
  }
}

extension EventPlaces {
  /// Whether every file that is covered is there and still begins with what is covered.
  fileprivate func isValid(for files: [LogFile]) throws(LogError) -> Bool {
    for covered in covered {
      guard let file = files.first(where: { Directory.name(of: $0.path) == covered.name }), file.end >= covered.end,
        try covered.isIn(file.file)
      else { return false }
    }
    return true
  }
}

extension Event {
  /// Whether it writes a register that a decision writes too.
  fileprivate var setsDecision: Bool {
    if case .videoFound(let found) = body { found.status != nil } else { body.isUserAction }
  }
}
