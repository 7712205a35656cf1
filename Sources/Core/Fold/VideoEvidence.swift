/// What the address of a video says of it.
package enum Link: UInt8, Sendable {
  /// None is known.
  case unknown
  /// `/watch?v=ID`: no Short, or a Short so fresh that YouTube does not say so yet.
  case watch
  /// `/shorts/ID`: a Short.
  case short

  /// What a link in a feed says: `https://www.youtube.com/shorts/N2FOxjtv5ns`.
  package init(_ address: String) {
    var address = address
    self = address.withUTF8 { bytes in
      Link.occurs("/shorts/", in: bytes) ? .short : Link.occurs("/watch?", in: bytes) ? .watch : .unknown
    }
  }

  /// Bytes, not characters: a search for characters takes longer than all else that folds an event.
  private static func occurs(_ word: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = word.utf8CodeUnitCount
    for start in 0..<max(0, bytes.count - count + 1) where bytes[start] == word.utf8Start[0] {
      if (1..<count).allSatisfy({ bytes[start + $0] == word.utf8Start[$0] }) { return true }
    }
    return false
  }
}

/// A set of feed forms.
package struct FeedForms: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The set of this one form.
  package init(_ form: FeedForm) {
    rawValue = FeedForm.allCases.firstIndex(of: form).map { 1 << UInt8($0) } ?? 0
  }

  /// The forms in the set, in the order of their declaration.
  package var forms: [FeedForm] { FeedForm.allCases.filter { contains(FeedForms($0)) } }
}
