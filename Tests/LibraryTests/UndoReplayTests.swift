import Core
import Library
import ReadModel
import Seeded
import SlowFold
import TestSupport
import Testing

/// The user-visible results of user actions on one device's own videos, channels, names and rules.
private struct Sight: Equatable {
  var videos: [String: [String]] = [:]
  var channels: [String: [String]] = [:]
  var names: [String]
  var rules: [Rule]
  var collections: [String: String]
  var preferences: [String: String] = [:]

  /// What a library shows.
  init(_ library: FileLibrary, of number: UInt64) throws {
    var videos: [VideoID: Video] = [:]
    for id in Sight.ids(number) { videos[id] = try library.model.video(id) }
    self.init(try library.model.state(), videos, of: number)
  }

  static func ids(_ number: UInt64) -> [VideoID] {
    (1...3 as ClosedRange<UInt64>).map { VideoID(bits: number << 32 | $0) }
  }

  init(_ state: State, _ known: [VideoID: Video], of number: UInt64) {
    for id in Sight.ids(number) {
      guard let video = known[id] else { continue }
      let until = video.statusSet.status == .snoozed ? "\(String(describing: video.statusSet.until))" : ""
      let values = [
        "\(video.statusSet.status)", until, "\(video.isSaved)", "\(video.progress)", video.note, "\(video.collections)",
      ]
      // A video only found by a poll counts as not found.
      if values != ["new", "", "false", "0", "", "[]"] { videos["\(id)"] = values }
    }
    for channel in state.followed where channel.id.channel?.high == number {
      channels["\(channel.id)"] = [
        channel.title, "\(channel.tags)", "\(channel.feed)", "\(channel.shorts)", "\(channel.live)", "\(channel.order)",
      ]
    }
    names = state.unresolved.map(\.handle).filter { $0.hasSuffix("\(number)") }
    rules = state.rules.filter { $0.id.hasSuffix("\(number)") }
    collections = state.collections.filter { $0.key.hasSuffix("-\(number)") }.mapValues(\.sight)
      .filter { !$0.value.isEmpty }
    for (key, register) in state.preferences.registers where key.name.hasSuffix("-\(number)") {
      preferences["\(key)"] = register.value
    }
  }
}

extension CollectionRegister {
  /// What a user sees of it; empty if nothing.
  fileprivate var sight: String { (kept?.value == true ? "kept " : "") + (text?.value ?? "") }
}

/// A device on which a user makes changes, polls and undoes, in a folder shared with another device.
private struct Device {
  let number: UInt64
  let device: DeviceID?
  let library: FileLibrary
  /// What was visible before each action that has not been undone.
  var before: [EventID: Sight] = [:]

  init(_ number: UInt64, _ id: String, _ folder: TemporaryFolder, clock: @escaping () -> UInt64) throws {
    self.number = number
    device = DeviceID(id)
    library = try FileLibrary(folders: folder.folders, device: device, machine: nil, clock: clock)
  }

  var sight: Sight { get throws { try Sight(library, of: number) } }

  /// Finds, changes and enriches videos of both devices.
  func poll(_ random: inout SeededGenerator) throws {
    let id = VideoID(bits: UInt64.random(in: 1...2, using: &random) << 32 | .random(in: 1...3, using: &random))
    let channel = ChannelID(high: 9, low: 9)
    let found = VideoFound(
      video: id, channel: channel, channelTitle: nil, feed: .channel, playlist: nil, title: "A title", link: "",
      published: Timestamp(seconds: 0), thumbnail: nil, zeroViews: false, status: nil, reason: nil, description: nil)
    _ = try library.commit(action: nil, undoing: nil) {
      [
        try library.model.found(id) == nil
          ? .videoFound(found) : .videoChanged(VideoChanged(video: id, title: "Another")),
        .videoEnriched(VideoEnriched(video: id, duration: 5, live: Live.none)),
      ]
    }
  }

  /// Makes one to three changes in one action; like the commands, only changes that have an effect.
  mutating func decide(_ random: inout SeededGenerator) throws {
    let sight = try sight
    var bodies: [EventBody] = []
    let (state, videos) = try decided()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let body = body(&random)
      let id = EventID(reading: .max >> 1, device: DeviceID(letters: 1))
      let next = try decided(and: Event(id: id, action: id, body: body))
      guard Sight(next.state, next.videos, of: number) != Sight(state, videos, of: number),
        !bodies.contains(where: { $0.isAbout(body) })
      else { continue }
      bodies.append(body)
    }
    let events = try library.commit(action: nil, undoing: nil) { bodies }
    if let action = events.first?.action { before[action] = sight }
  }

  /// What its library shows, and what it would show after one more event.
  private func decided(and event: Event? = nil) throws -> (state: State, videos: [VideoID: Video]) {
    let model = try library.model.copyInMemory()
    if let event { try model.apply([event]) }
    var videos: [VideoID: Video] = [:]
    for id in Sight.ids(number) { videos[id] = try model.video(id) }
    return (try model.state(), videos)
  }

  private func body(_ random: inout SeededGenerator) -> EventBody {
    let video = VideoID(bits: number << 32 | .random(in: 1...3, using: &random))
    let channel = SubscriptionID.channel(ChannelID(high: number, low: .random(in: 1...2, using: &random)))
    let (word, isSo) = ("word \(Int.random(in: 0...2, using: &random))", Bool.random(using: &random))
    switch Int.random(in: 0...14, using: &random) {
    case 0: return .statusSet(StatusSet(video: video, status: .watched))
    case 1: return .statusSet(StatusSet(video: video, status: .skipped))
    case 2: return .statusSet(StatusSet(video: video, status: .snoozed, until: Timestamp(seconds: 4_000_000_000)))
    case 3: return .statusSet(StatusSet(video: video, status: .new))
    case 4: return .savedSet(SavedSet(video: video, saved: isSo))
    case 5: return .collectionSet(CollectionSet(video: video, collection: word, member: isSo))
    case 6:
      return isSo ? .progressSet(ProgressSet(video: video, seconds: 7)) : .noteSet(NoteSet(video: video, text: word))
    case 7: return .channelFollowed(ChannelFollowed(subscription: channel, title: isSo ? word : nil, tags: [word]))
    case 8: return .channelUnfollowed(channel)
    case 9:
      return .channelChanged(
        ChannelChanged(
          subscription: channel, title: word, tags: [word], feed: isSo ? .videos : .uploads,
          shorts: isSo ? .show : .hide, live: isSo ? .hide : .show, order: isSo ? .oldest : .newest))
    case 10:
      let handle = "@\(word.last ?? "0")-\(number)"
      return isSo
        ? .handleFollowed(HandleFollowed(handle: handle, title: nil, tags: nil))
        : .handleUnfollowed(HandleUnfollowed(handle: handle))
    case 11:
      var rule = Rule(id: "\(word.last ?? "0")-\(number)", verdict: .block)
      rule.contains = word
      return .ruleSet(rule)
    case 12:
      let isKept = isSo ? Bool.random(using: &random) : nil
      return .collectionChanged(
        CollectionChanged(collection: "\(word)-\(number)", kept: isKept, text: isSo ? nil : word))
    case 13:
      return .preferenceSet(PreferenceSet(name: "preference-\(number)", value: isSo ? word : nil, channel: channel))
    default: return .ruleRemoved(RuleRemoved(rule: "\(word.last ?? "0")-\(number)"))
    }
  }

  /// Undoes the last action, as the command does, and returns it; nil if there is nothing to undo.
  func undo() throws -> EventID? {
    try library.refresh()
    guard let device, let action = try library.lastAction(of: device) else { return nil }
    let bodies = try library.undoing(action, library.events(of: action))
    _ = try library.commit(action: nil, undoing: action) { bodies.isEmpty ? [.actionUndone] : bodies }
    return action
  }
}

extension EventBody {
  /// Whether two bodies may write the same register.
  fileprivate func isAbout(_ other: EventBody) -> Bool {
    video != nil ? video == other.video : other.video == nil
  }
}

@Test(
  "On two devices, between polls, each undo restores what its device saw before, and a replay agrees",
  arguments: 1...20 as ClosedRange<UInt64>)
func undoOnTwoDevices(seed: UInt64) throws {
  let folder = TemporaryFolder()
  var random = SeededGenerator(seed: seed)
  // One device's clock is behind the other's.
  var devices = [
    try Device(1, "aaaaaaaa", folder) { 1_761_392_475_000 }, try Device(2, "k3v9x2ap", folder) { 1_761_392_400_000 },
  ]
  let first = try devices.map { try $0.sight }
  func check() throws {
    let fold = try folder.fold("aaaaaaaa")
    for device in devices {
      try device.library.refresh()
      #expect(try device.library.agrees(with: fold))
    }
  }
  func takeBack(_ index: Int) throws -> Bool {
    guard let action = try devices[index].undo() else { return false }
    let sight = try devices[index].sight
    let isSame = sight == devices[index].before[action]
    #expect(isSame, "\(sight) for \(String(describing: devices[index].before[action]))")
    return true
  }
  for _ in 0..<25 {
    let index = Int.random(in: 0...1, using: &random)
    switch Int.random(in: 0...5, using: &random) {
    case 0: _ = try takeBack(index)
    case 1: try devices[index].poll(&random)
    default: try devices[index].decide(&random)
    }
  }
  try check()
  while try takeBack(0) || takeBack(1) {}
  try check()
  let isFirst = try devices.map { try $0.sight } == first
  #expect(isFirst)
}
