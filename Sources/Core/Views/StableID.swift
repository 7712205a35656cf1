/// The ids of what this program publishes: the same for ever, and nobody else's.
///
/// A reader such as newsboat keys what it knows by id over all feeds, so an id here must differ from the `yt:video:…`
/// of YouTube's own feed. A `tag:` may be made only by the owner of its domain (RFC 4151), and this project has none.
/// So: URNs of UUIDs of version 8, whose layout is the maker's (RFC 9562 §5.8): "metube" in ASCII, a digit for the
/// kind, and 64 bits, which are those of the video's id, so that no two can collide. `dQw4w9WgXcQ` is
/// `urn:uuid:6d657475-6265-8a5b-800f-05f0a86c8a87`.
package enum StableID {
  /// The id of a video.
  package static func of(_ video: VideoID) -> String { urn(kind: 0, bits: video.bits) }

  /// The id of a feed; `filter` says in canonical words what it is restricted to, and is empty where it is not.
  package static func feed(filter: String) -> String { urn(kind: 1, bits: Fingerprint.of(filter)) }

  /// The id of a notice; `occasion` says in canonical words what it is about: `gap 0019a1…`.
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
