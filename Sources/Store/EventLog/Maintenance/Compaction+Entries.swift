import Core

/// The last event of a file that wrote each register of an entry.
struct LatestOfEntry {
  private var registers: [Register: EventID] = [:]

  private enum Register { case title, link, published, media, duration, image, author, season, episode, explicit, text }

  private static func registers(of change: EntryChanged) -> [Register] {
    let facts = change.facts
    let members: [(Register, Bool)] = [
      (.title, change.title != nil), (.link, facts.link != nil), (.published, facts.published != nil),
      (.media, facts.media != nil), (.duration, facts.duration != nil), (.image, facts.image != nil),
      (.author, facts.author != nil), (.season, facts.season != nil), (.episode, facts.episode != nil),
      (.explicit, facts.isExplicit != nil), (.text, facts.description != nil),
    ]
    return members.filter(\.1).map(\.0)
  }

  /// Records an event.
  mutating func note(_ change: EntryChanged, _ id: EventID) {
    for register in LatestOfEntry.registers(of: change) { raise(&registers[register], to: id) }
  }

  /// Whether later events contain everything that one says.
  func supersedes(_ change: EntryChanged, _ id: EventID) -> Bool {
    // Another key of the entry must stay, and a line of which this program knows no member.
    let said = LatestOfEntry.registers(of: change)
    return change.alias == nil && !said.isEmpty && said.allSatisfy { isBelow(id, registers[$0]) }
  }
}

/// The last event of a file that wrote each register of a feed that its document says.
struct LatestOfFeed {
  private var name: EventID?
  private var site: EventID?
  private var image: EventID?
  private var language: EventID?

  /// Records an event.
  mutating func note(_ change: FeedChanged, _ id: EventID) {
    if change.name != nil { raise(&name, to: id) }
    if change.site != nil { raise(&site, to: id) }
    if change.image != nil { raise(&image, to: id) }
    if change.language != nil { raise(&language, to: id) }
  }

  /// Whether later events contain everything that one says.
  func supersedes(_ change: FeedChanged, _ id: EventID) -> Bool {
    // Addresses tell where a feed was, and the first kind of keys counts.
    guard !change.isUserAction, change.url == nil, change.keyKind == nil else { return false }
    let members: [(isSaid: Bool, latest: EventID?)] = [
      (change.name != nil, name), (change.site != nil, site), (change.image != nil, image),
      (change.language != nil, language),
    ]
    // A line of which this program knows no member stays.
    return members.contains(where: \.isSaid) && members.allSatisfy { !$0.isSaid || isBelow(id, $0.latest) }
  }
}
