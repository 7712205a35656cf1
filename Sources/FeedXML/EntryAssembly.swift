import Core

/// The fields of one entry by their places, to make values of.
struct EntryFields {
  private let fields: FeedFields
  /// For each place the last of its fields in the entry, or -1.
  private var last = [Int](repeating: -1, count: Place.allCases.count)
  /// The line the entry ends on.
  private var line = 0

  /// The fields of no entry yet.
  init(of fields: FeedFields) { self.fields = fields }

  /// Goes on to the entry whose fields end with `end`.
  mutating func move(to end: FeedFields.Field) {
    line = Int(end.spot.line)
    for place in last.indices { last[place] = -1 }
    // A link without `rel` leads to the video's page as well (RFC 4287, 4.2.7.2).
    var isAlternate = true
    for index in end.indices {
      let field = fields.all[index]
      switch field.place {
      case .linkRelation: isAlternate = fields.bytes.span.extracting(field.indices).holds("alternate")
      case .linkAddress:
        if isAlternate { last[field.place.rawValue] = index }
        isAlternate = true
      default: last[field.place.rawValue] = index
      }
    }
  }

  /// Whether there is a value at a place.
  func has(_ place: Place) -> Bool { last[place.rawValue] >= 0 }

  /// What `make` makes of the value at a place, or nil where there is none.
  func value<Value>(_ place: Place, _ make: (Span<UInt8>) -> Value?) -> Value? {
    let index = last[place.rawValue]
    return index < 0 ? nil : make(fields.bytes.span.extracting(fields.all[index].indices))
  }

  /// The same for a place that has to be there and in a shape that is known.
  func value<Value>(
    _ place: Place, as name: EntryField, _ make: (Span<UInt8>) -> Value?
  ) throws(XMLDamage) -> Value {
    if let value = value(place, make) { return value }
    throw .badEntry(line: line, field: name, flaw: has(place) ? .invalid : .missing)
  }

  /// The text at a place, or nil where there is none; `known` itself where that is the same text.
  func text(_ place: Place, reusing known: String?) throws(XMLDamage) -> String? {
    let index = last[place.rawValue]
    guard index >= 0 else { return nil }
    let field = fields.all[index]
    return try String(fields.bytes.span.extracting(field.indices), reusing: known, at: field.spot)
  }

  /// The text of an attribute at a place, or nil where there is none.
  func attribute(_ place: Place) throws(XMLDamage) -> String? {
    let index = last[place.rawValue]
    guard index >= 0 else { return nil }
    let field = fields.all[index]
    return try String(attribute: fields.bytes.span.extracting(field.indices), at: field.spot)
  }

  /// The damage of an entry that lacks a field.
  func missing(_ name: EntryField) -> XMLDamage { .badEntry(line: line, field: name, flaw: .missing) }
}

extension Entry {
  /// The entry with these fields; throws at the first that is missing or in no shape that is known.
  ///
  /// Where it names no author it is the feed's (RFC 4287, 4.2.1); a video that never changed may have no `updated`.
  /// `before` is the author of the entry before, mostly the same.
  init(_ fields: EntryFields, feedAuthor: String?, before: String?) throws(XMLDamage) {
    let video = try fields.value(.video, as: .video) { VideoID($0) }
    let channel = try fields.value(.channel, as: .channel) { ChannelID($0) }
    guard let title = try fields.text(.title, reusing: nil) else { throw fields.missing(.title) }
    guard let link = try fields.attribute(.linkAddress) else { throw fields.missing(.link) }
    let published = try fields.value(.published, as: .published) { Timestamp(rfc3339: $0) }
    let updated =
      try fields.has(.updated) ? fields.value(.updated, as: .updated) { Timestamp(rfc3339: $0) } : published
    self.init(
      video: video, channel: channel, title: title, link: link,
      authorName: try fields.text(.authorName, reusing: before ?? feedAuthor) ?? feedAuthor ?? "", published: published,
      updated: updated,
      mediaTitle: try fields.text(.mediaTitle, reusing: title), thumbnail: try fields.attribute(.thumbnailAddress),
      description: try fields.text(.description, reusing: nil), views: fields.value(.views) { Int64(digits: $0) },
      likes: fields.value(.likes) { Int64(digits: $0) })
  }
}

extension DeletedEntry {
  /// The word of a removal with these fields; throws where it names no video or no time.
  init(_ fields: EntryFields) throws(XMLDamage) {
    self.init(
      video: try fields.value(.deletedVideo, as: .video) { VideoID(reference: $0) },
      when: try fields.value(.deletedWhen, as: .when) { Timestamp(rfc3339: $0) },
      channel: fields.value(.deletedByPage) { ChannelID(page: $0) })
  }
}

extension VideoID {
  /// The video in `yt:video:dQw4w9WgXcQ`, or nil.
  fileprivate init?(reference: Span<UInt8>) {
    let prefix: StaticString = "yt:video:"
    guard reference.starts(with: prefix) else { return nil }
    self.init(reference.extracting(droppingFirst: prefix.utf8CodeUnitCount))
  }
}

extension ChannelID {
  /// The channel of the page `https://www.youtube.com/channel/UC…`, or nil.
  init?(page: Span<UInt8>) {
    for prefix in ["https://www.youtube.com/channel/", "http://www.youtube.com/channel/"] as [StaticString] {
      guard page.starts(with: prefix) else { continue }
      self.init(page.extracting(droppingFirst: prefix.utf8CodeUnitCount))
      return
    }
    return nil
  }
}
