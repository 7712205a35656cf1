import Core

/// The IDs in published feeds: permanent and globally unique.
///
/// Readers such as newsboat identify entries by ID across all feeds, so an ID here must differ from the `yt:video:…` of
/// YouTube's own feed. A `tag:` URI may be minted only by the owner of its domain (RFC 4151), and this project has
/// none. Hence URNs of version 8 UUIDs, whose layout is custom (RFC 9562 §5.8): "metube" in ASCII, a digit for the
/// kind, and 64 bits, for a video those of its ID, so that no two can collide. `dQw4w9WgXcQ` is
/// `urn:uuid:6d657475-6265-8a5b-800f-05f0a86c8a87`.
package enum StableID {
  /// The ID of a video.
  package static func of(_ video: VideoID) -> String { urn(kind: 0, bits: video.bits) }

  /// The ID of a feed; `filter` is its filter in canonical form, empty if unfiltered.
  package static func feed(filter: String) -> String { urn(kind: 1, bits: Fingerprint.of(filter)) }

  /// The ID of a notice; `occasion` is its subject in canonical form: `gap 0019a1…`.
  package static func notice(_ occasion: String) -> String { urn(kind: 2, bits: Fingerprint.of(occasion)) }

  private static func urn(kind: UInt64, bits: UInt64) -> String {
    let high = hex(bits >> 52, digits: 3)
    let middle = hex(kind << 4 | bits >> 48 & 0xf, digits: 2)
    let low = hex(bits & 0xffff_ffff_ffff, digits: 12)
    return "urn:uuid:6d657475-6265-8\(high)-80\(middle)-\(low)"
  }

  private static func hex(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
