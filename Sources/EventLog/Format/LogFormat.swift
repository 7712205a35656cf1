/// The log format: one append-only file of lines per device; the state is the fold of all of them.
///
/// A line is one flat JSON object (RFC 8259) in UTF-8, without white space between tokens, followed by a newline:
///
/// ```
/// {"v":1,"id":"0019a1b2c3d4e-0000-k3v9x2ap","kind":"statusSet","action":"0019a1b2c3d4e-0000-k3v9x2ap",
///  "video":"dQw4w9WgXcQ","status":"watched","c":"cdf0cc3c"}
/// ```
///
/// (wrapped here to fit the page). First come the format version, the event ID and the kind; then the action the event
/// belongs to and, in an undo, the action it undoes; then the members of the kind, in a fixed order per kind; then
/// `description`, so that a reader can skip it; at the very end the CRC-32C of the bytes before its comma. A value is a
/// string, an integer, a Boolean or an array of strings. A member without a value is omitted.
///
/// Readers accept members in any order, except that the checksum comes last; they skip unknown kinds and members, which
/// stay in the file. The meaning of a kind never changes once released. A line of a newer version is applied as far as
/// it is understood, and nothing is appended to a file that contains one.
package enum LogFormat {
  /// The version written, and the highest version understood.
  package static let version = 1
  /// Maximum length of a line, including its newline: 8 MiB, enough for a run that lists 100,000 subscriptions.
  package static let lineLimit = 8 << 20
  /// Maximum length of a string value, in bytes of UTF-8 before escaping: 64 KiB; YouTube's longest takes 20.
  package static let textLimit = 64 << 10
}
