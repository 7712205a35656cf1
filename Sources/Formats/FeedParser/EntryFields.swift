import Core

/// The fields of one entry, indexed by element.
struct EntryFields {
  private let fields: FeedFields
  /// For each element, the index of its last field in the entry, or -1.
  private var last = [Int](repeating: -1, count: FeedElement.allCases.count)
  /// The line the entry ends on.
  private var line = 0

  /// No entry selected yet.
  init(of fields: FeedFields) { self.fields = fields }

  /// Moves to an entry.
  mutating func move(to entry: FeedFields.Entry) {
    line = Int(entry.location.line)
    for index in last.indices { last[index] = -1 }
    // A link without `rel` leads to the video's page as well (RFC 4287, 4.2.7.2).
    var isAlternate = true
    for index in entry.fields {
      let field = fields.all[index]
      switch field.element {
      case .linkRelation:
        isAlternate = fields.bytes.span.extracting(field.indices).has("alternate", at: 0) && field.range.count == 9
      case .linkAddress:
        if isAlternate { last[field.element.rawValue] = index }
        isAlternate = true
      default: last[field.element.rawValue] = index
      }
    }
  }

  /// The field of an element; nil if absent.
  func field(_ element: FeedElement) -> FeedFields.Field? {
    last[element.rawValue] < 0 ? nil : fields.all[last[element.rawValue]]
  }

  /// The result of `make` for an element's value; nil if absent.
  func value<Value>(_ element: FeedElement, _ make: (Span<UInt8>) -> Value?) -> Value? {
    guard let field = field(element) else { return nil }
    return make(fields.bytes.span.extracting(field.indices))
  }

  /// The result of `make` for the value of a required element; throws if it is missing or invalid.
  func value<Value>(
    _ element: FeedElement, as name: EntryField, _ make: (Span<UInt8>) -> Value?
  ) throws(ParseError) -> Value {
    if let value = value(element, make) { return value }
    throw .badEntry(line: line, field: name, flaw: field(element) == nil ? .missing : .invalid)
  }

  /// The text of an element, nil if absent; returns `known` itself if the text is equal.
  func text(_ element: FeedElement, reusing known: String?) throws(ParseError) -> String? {
    guard let field = field(element) else { return nil }
    return try String(fields.bytes.span.extracting(field.indices), reusing: known, at: field.location)
  }

  /// The text of an attribute; nil if absent.
  func attribute(_ element: FeedElement) throws(ParseError) -> String? {
    guard let field = field(element) else { return nil }
    return try String(attribute: fields.bytes.span.extracting(field.indices), at: field.location)
  }

  /// The error for an entry that lacks a field.
  func missing(_ name: EntryField) -> ParseError { .badEntry(line: line, field: name, flaw: .missing) }
}

extension Entry {
  /// The entry with these fields; throws at the first one missing or invalid.
  ///
  /// Without an author it has the feed's (RFC 4287, 4.2.1); a video that never changed may lack `updated`. `before` is
  /// the author of the preceding entry, usually the same.
  init(_ fields: EntryFields, feedAuthor: String?, before: String?) throws(ParseError) {
    let video = try fields.value(.video, as: .video) { VideoID(youTube: $0) }
    let channel = try fields.value(.channel, as: .channel) { ChannelID($0) }
    guard let title = try fields.text(.title, reusing: nil) else { throw fields.missing(.title) }
    guard let link = try fields.attribute(.linkAddress) else { throw fields.missing(.link) }
    let published = try fields.value(.published, as: .published) { Timestamp(rfc3339: $0) }
    let updated =
      try fields.field(.updated) != nil ? fields.value(.updated, as: .updated) { Timestamp(rfc3339: $0) } : published
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
  /// The deleted entry with these fields; throws if it names no video or no time.
  init(_ fields: EntryFields) throws(ParseError) {
    self.init(
      video: try fields.value(.deletedVideo, as: .video) { VideoID(reference: $0) },
      when: try fields.value(.deletedWhen, as: .when) { Timestamp(rfc3339: $0) },
      channel: fields.value(.deletedByPage) { ChannelID(page: $0) })
  }
}

extension VideoID {
  /// The video in `yt:video:dQw4w9WgXcQ`; nil if the reference has another form.
  fileprivate init?(reference: Span<UInt8>) {
    let prefix: StaticString = "yt:video:"
    guard reference.has(prefix, at: 0) else { return nil }
    self.init(youTube: reference.extracting(droppingFirst: prefix.utf8CodeUnitCount))
  }
}

extension ChannelID {
  /// The channel of the page `https://www.youtube.com/channel/UC…`; nil for any other URL.
  init?(page: Span<UInt8>) {
    for prefix in ["https://www.youtube.com/channel/", "http://www.youtube.com/channel/"] as [StaticString] {
      guard page.has(prefix, at: 0) else { continue }
      self.init(page.extracting(droppingFirst: prefix.utf8CodeUnitCount))
      return
    }
    return nil
  }
}

/// Strings and numbers from the bytes of a field.
extension String {
  /// The text of these bytes, which end at `location`; throws if they are not UTF-8. Validated, because libxml2 2.9.14
  /// accepts overlong encodings, `C1 81` for `A`, in a CDATA section.
  init(_ bytes: Span<UInt8>, at location: SourceLocation) throws(ParseError) {
    guard let text = String(utf8: bytes) else { throw .malformed(code: ParserCode.invalidEncoding, at: location) }
    self = text
  }

  /// The text of these bytes; `known` itself if it is equal, because an author's name repeats in every entry.
  init(_ bytes: Span<UInt8>, reusing known: String?, at location: SourceLocation) throws(ParseError) {
    if let known, bytes.holds(known) { self = known } else { try self.init(bytes, at: location) }
  }

  /// The text of an attribute's value; bytes that are not UTF-8 become U+FFFD.
  init(lenient value: Span<UInt8>) {
    let text = String(utf8: value) ?? value.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    self = value.contains(UInt8(ascii: "&")) ? String.unescaped(text) : text
  }

  /// The text of an attribute's value, in which libxml2 leaves every ampersand as `&#38;` unless, unlike here, it
  /// substitutes entities.
  init(attribute value: Span<UInt8>, at location: SourceLocation) throws(ParseError) {
    let text = try String(value, at: location)
    self = value.contains(UInt8(ascii: "&")) ? String.unescaped(text) : text
  }

  /// The text with each `&#38;` replaced by `&`; no other ampersand is left in a value.
  private static func unescaped(_ text: String) -> String {
    var rest = Array(text.utf8)[...]
    var bytes: [UInt8] = []
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      bytes += rest[...ampersand]
      rest = rest[(ampersand + 1)...]
      if rest.starts(with: "#38;".utf8) { rest = rest.dropFirst(4) }
    }
    return String(decoding: bytes + rest, as: UTF8.self)
  }
}

extension Int64 {
  /// The number written in decimal digits; nil if invalid or too large.
  init?(digits: Span<UInt8>) {
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for position in digits.indices {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digits[position]) else { return nil }
      let (tenfold, over) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(Int64(digits[position] - UInt8(ascii: "0")))
      guard !over, !carry else { return nil }
      value = sum
    }
    self = value
  }
}

extension Span<UInt8> {
  /// Whether these are the UTF-8 bytes of `text`.
  fileprivate func holds(_ text: String) -> Bool {
    let other = text.utf8.span
    guard other.count == count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  fileprivate func contains(_ byte: UInt8) -> Bool {
    for index in indices where self[index] == byte { return true }
    return false
  }
}
