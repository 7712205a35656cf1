/// The type of a video according to its URL.
package enum Link: UInt8, Sendable {
  /// No URL is known.
  case unknown
  /// `/watch?v=ID`: not a Short, or a Short too new for YouTube to mark it yet.
  case watch
  /// `/shorts/ID`: a Short.
  case short

  /// Parses a link in a feed: `https://www.youtube.com/shorts/N2FOxjtv5ns`.
  package init(_ address: String) {
    var address = address
    self = address.withUTF8 { bytes in
      Link.occurs("/shorts/", in: bytes) ? .short : Link.occurs("/watch?", in: bytes) ? .watch : .unknown
    }
  }

  /// Compares bytes, because a search by characters takes longer than everything else in applying an event.
  private static func occurs(_ word: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = word.utf8CodeUnitCount
    for start in 0..<max(0, bytes.count - count + 1) where bytes[start] == word.utf8Start[0] {
      if (1..<count).allSatisfy({ bytes[start + $0] == word.utf8Start[$0] }) { return true }
    }
    return false
  }
}

/// A set of feed kinds.
package struct FeedForms: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The set containing one kind of feed.
  package init(_ form: FeedForm) {
    rawValue = FeedForm.allCases.firstIndex(of: form).map { 1 << UInt8($0) } ?? 0
  }

  /// The kinds in the set, in declaration order.
  package var forms: [FeedForm] { FeedForm.allCases.filter { contains(FeedForms($0)) } }
}
