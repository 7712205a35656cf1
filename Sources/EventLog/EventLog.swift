/// The log: one append-only file of lines for each device, and the fold of all of them.
///
/// A line is one flat JSON object (RFC 8259) in UTF-8 without white space between its tokens, and a newline:
///
/// ```
/// {"v":1,"id":"0019a1b2c3d4e-0000-k3v9x2ap","kind":"statusSet","action":"0019a1b2c3d4e-0000-k3v9x2ap",
///  "video":"dQw4w9WgXcQ","status":"watched","c":"cdf0cc3c"}
/// ```
///
/// (broken here to fit the page). First come the format's version, the event's id and its kind; then the action it
/// belongs to and, in an undo, the action it takes back; then the members of the kind, in an order of their own; then
/// `description`, so that a reader can skip it; at the very end the CRC-32C of the bytes before its comma. A value is
/// a string, an integer, a Boolean or an array of strings. A member without a value is left out.
///
/// Read: members in any order but for the end; unknown kinds and members are stepped over and kept. What a kind means
/// never changes once released. A line of a higher version is folded as far as it is understood, and nothing is
/// appended to a file that has one.
package enum LogFormat {
  /// The version written, the highest understood.
  package static let version = 1
  /// The longest line, with its newline: 8 MiB, for a run that names 100,000 subscriptions.
  package static let lineLimit = 8 << 20
  /// The longest text of a member, in bytes of UTF-8 before escaping: 64 KiB, where YouTube's longest takes 20.
  package static let textLimit = 64 << 10
}
