/// A name normalised for comparison: ignores case, accents, whitespace, invisible characters and apostrophe style,
/// because users type `adam savage's tested` for `Adam Savage’s Tested`.
package struct FoldedName: Hashable, Sendable {
  private let bytes: [UInt8]

  /// Normalises a name; one of whitespace alone is empty.
  package init(_ name: String) {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars where scalar.properties.generalCategory != .format {
      scalars.append(FoldedName.apostrophes.contains(scalar) ? "'" : scalar)
    }
    let words = String(scalars).split(whereSeparator: \.isWhitespace)
    bytes = FoldedText.bytes(of: words.joined(separator: " "))
  }

  /// The characters used as apostrophes.
  private static let apostrophes: Set<Unicode.Scalar> = [
    "\u{2018}", "\u{2019}", "\u{02bc}", "\u{00b4}", "`", "\u{ff07}",
  ]

  package var isEmpty: Bool { bytes.isEmpty }

  /// Whether another name is a substring of this one.
  package func contains(_ part: FoldedName) -> Bool {
    bytes.withUnsafeBytes { ByteSearch.first(part.bytes, in: $0, from: 0) != nil }
  }

  /// The name without spaces, apostrophes, hyphens, dots and underscores, as handles are derived from titles:
  /// `adamsavagestested`. Other characters are significant: C++ is not C.
  package var joined: [UInt8] { bytes.filter { !" '-._".utf8.contains($0) } }
}
