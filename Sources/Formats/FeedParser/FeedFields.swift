import Core

/// The recognised fields of a feed document, as written and in document order; not validated.
struct FeedFields {
  /// The value of one element or attribute.
  struct Field {
    let element: FeedElement
    /// The value's range in `bytes`.
    let range: Range<Int32>
    /// Where the element ends.
    let location: SourceLocation

    /// The range as indices.
    var indices: Range<Int> { Int(range.lowerBound)..<Int(range.upperBound) }
  }

  /// An entry, or the notice that one was deleted.
  struct Entry {
    let isDeleted: Bool
    /// The range of its fields in `all`.
    let fields: Range<Int>
    /// Where the element ends.
    let location: SourceLocation
  }

  /// The values, concatenated.
  var bytes: [UInt8] = []
  /// The fields, ordered by where they end.
  var all: [Field] = []
  /// The entries, in document order.
  var entries: [Entry] = []
}

/// Collects the fields of an Atom document from its parse events.
struct FieldCollector: SAXHandler {
  let limits: ParserLimits
  var damage: ParseError?
  /// The fields collected so far.
  private(set) var fields = FeedFields()

  private var vocabulary = ElementTable.untaught
  /// The innermost open recognised element.
  private var element = FeedElement.document
  /// Whether the text here is that element's value, and the value's offset in the bytes.
  private var takesText = false
  private var textStart = 0
  /// The number of open unrecognised elements inside it.
  private var passedOver = 0
  private var depth = 0
  private var entries = 0
  /// The index of the first field of the open entry.
  private var entryStart = 0

  init(limits: ParserLimits, expecting bytes: Int) {
    self.limits = limits
    fields.bytes.reserveCapacity(bytes)
    fields.all.reserveCapacity(256)
  }

  mutating func start(_ name: ElementName, _ attributes: Attributes, at location: SourceLocation) {
    depth += 1
    guard depth <= limits.depth else { return refuse(.tooDeep(limit: limits.depth, line: Int(location.line))) }
    guard passedOver == 0, let child = vocabulary.child(name, in: element) else {
      if element == .document { refuse(.notAFeed(root: name.evidence)) }
      passedOver += 1
      takesText = false
      return
    }
    element = child
    takesText = vocabulary.hasText(child)
    textStart = fields.bytes.count
    if takesText { return }
    if child == .entry || child == .deletedEntry { startEntry() }
    for attribute in vocabulary.attributes(of: child) {
      let start = fields.bytes.count
      let found: Void? = attributes.withValue(of: attribute.name) { append($0, at: location) }
      if found != nil { add(attribute.element, from: start, to: fields.bytes.count, at: location) }
    }
  }

  mutating func text(_ piece: Span<UInt8>, at location: SourceLocation) {
    if takesText { append(piece, at: location) }
  }

  mutating func end(at location: SourceLocation) {
    depth -= 1
    if passedOver > 0 {
      passedOver -= 1
      takesText = passedOver == 0 && vocabulary.hasText(element)
      return
    }
    if takesText {
      add(element, from: textStart, to: fields.bytes.count, at: location)
    } else if element == .entry || element == .deletedEntry {
      let range = entryStart..<fields.all.count
      fields.entries.append(.init(isDeleted: element == .deletedEntry, fields: range, location: location))
    }
    takesText = false
    element = vocabulary.parent(of: element)
  }

  func accepts(_ code: Int32) -> Bool { false }

  mutating func doctype(root: String, at location: SourceLocation) {
    refuse(root == "feed" ? .doctype(line: Int(location.line)) : .notAFeed(root: root))
  }

  private mutating func startEntry() {
    entries += 1
    entryStart = fields.all.count
    if entries > limits.entries { refuse(.tooManyEntries(limit: limits.entries)) }
  }

  private mutating func append(_ piece: Span<UInt8>, at location: SourceLocation) {
    guard fields.bytes.count - textStart + piece.count <= limits.field else {
      return refuse(.fieldTooLong(limit: limits.field, line: Int(location.line)))
    }
    fields.bytes.append(piece)
  }

  private mutating func add(_ element: FeedElement, from start: Int, to end: Int, at location: SourceLocation) {
    fields.all.append(.init(element: element, range: Int32(start)..<Int32(end), location: location))
  }
}

extension Feed {
  /// The feed in an Atom document (RFC 4287); throws the reason why the whole document is rejected.
  package init(xml bytes: [UInt8]) throws(ParseError) { try self.init(xml: bytes, limits: .feed) }

  /// Reads the fields of a document within these limits.
  init(xml bytes: [UInt8], limits: ParserLimits) throws(ParseError) {
    let document = try Document(bytes, limit: limits.bytes)
    guard !document.isHTML else { throw .notAFeed(root: "html") }
    var collector = FieldCollector(limits: limits, expecting: bytes.count)
    try parse(document, into: &collector, handler: FieldCollector.handler, repairing: false)
    try self.init(collector.fields)
  }

  /// The feed in the fields of a document; throws at the first entry that lacks a field.
  init(_ fields: FeedFields) throws(ParseError) {
    self.init(
      title: "", authorName: nil, authorChannel: nil, channel: nil, playlist: nil, entries: [], deletedEntries: [])
    for field in fields.all { try take(field, fields.bytes.span.extracting(field.indices)) }
    entries.reserveCapacity(15)
    var reading = EntryFields(of: fields)
    for entry in fields.entries {
      reading.move(to: entry)
      if entry.isDeleted {
        deletedEntries.append(try DeletedEntry(reading))
      } else {
        entries.append(try Entry(reading, feedAuthor: authorName, before: entries.last?.authorName))
      }
    }
  }

  /// Sets a property of the feed itself; ignores fields of entries.
  private mutating func take(_ field: FeedFields.Field, _ value: Span<UInt8>) throws(ParseError) {
    switch field.element {
    case .feedTitle: title = try String(value, at: field.location)
    case .feedChannel: channel = ChannelID(value) ?? ChannelID(withoutPrefix: value)
    case .feedPlaylist: playlist = PlaylistID(try String(value, at: field.location))
    case .feedAuthorName: authorName = try String(value, at: field.location)
    case .feedAuthorPage: authorChannel = ChannelID(page: value)
    default: break
    }
  }
}
