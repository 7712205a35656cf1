/// A name as names are told apart: by neither case nor accents, blanks, what cannot be seen, nor the sort of apostrophe,
/// for a person types `adam savage's tested` where the channel has `Adam Savage’s Tested`.
package struct FoldedName: Hashable, Sendable {
  private let bytes: [UInt8]

  /// A name folded; one of blanks alone is empty.
  package init(_ name: String) {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars where scalar.properties.generalCategory != .format {
      scalars.append(FoldedName.apostrophes.contains(scalar) ? "'" : scalar)
    }
    let words = String(scalars).split(whereSeparator: \.isWhitespace)
    bytes = FoldedText.bytes(of: words.joined(separator: " "))
  }

  /// The signs that stand for an apostrophe.
  private static let apostrophes: Set<Unicode.Scalar> = [
    "\u{2018}", "\u{2019}", "\u{02bc}", "\u{00b4}", "`", "\u{ff07}",
  ]

  package var isEmpty: Bool { bytes.isEmpty }

  /// Whether another name is a part of this one.
  package func contains(_ part: FoldedName) -> Bool {
    bytes.withUnsafeBytes { ByteSearch.first(part.bytes, in: $0, from: 0) != nil }
  }

  /// It without blanks, apostrophes, hyphens, dots and underscores, as handles are made of titles:
  /// `adamsavagestested`. Other signs tell names apart: C++ is not C.
  package var joined: [UInt8] { bytes.filter { !" '-._".utf8.contains($0) } }
}
