import Core

extension Feed {
  /// The feed in an Atom document (RFC 4287); throws the reason why the whole document is rejected.
  package init(xml bytes: [UInt8]) throws(XMLDamage) { try self.init(xml: bytes, limits: .feed) }

  /// The same with other limits.
  init(xml bytes: [UInt8], limits: Limits) throws(XMLDamage) {
    let document = try Document(bytes, limit: limits.bytes)
    guard !document.isHTML else { throw .notAFeed(root: "html") }
    var collector = FieldCollector(limits: limits, expecting: bytes.count)
    try parse(document, into: &collector, handler: FieldCollector.handler)
    try self.init(collector.fields)
  }

  /// The feed in the fields of a document; throws at the first entry that lacks a field.
  init(_ fields: FeedFields) throws(XMLDamage) {
    self.init(
      title: "", authorName: nil, authorChannel: nil, channel: nil, playlist: nil, entries: [], deletedEntries: [])
    for field in fields.all { try take(field, fields.bytes.span.extracting(field.indices)) }
    entries.reserveCapacity(15)
    var reading = EntryFields(of: fields)
    for field in fields.all {
      if field.place == .entry {
        reading.move(to: field)
        entries.append(try Entry(reading, feedAuthor: authorName, before: entries.last?.authorName))
      } else if field.place == .deletedEntry {
        reading.move(to: field)
        deletedEntries.append(try DeletedEntry(reading))
      }
    }
  }

  /// Sets a property of the feed itself; ignores fields of entries.
  private mutating func take(_ field: FeedFields.Field, _ value: Span<UInt8>) throws(XMLDamage) {
    switch field.place {
    case .feedTitle: title = try String(value, at: field.spot)
    case .feedChannel: channel = ChannelID(value) ?? ChannelID(withoutPrefix: value)
    case .feedPlaylist: playlist = PlaylistID(try String(value, at: field.spot))
    case .feedAuthorName: authorName = try String(value, at: field.spot)
    case .feedAuthorPage: authorChannel = ChannelID(page: value)
    default: break
    }
  }
}
