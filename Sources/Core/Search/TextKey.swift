/// What a text is known by in the index: equal texts have equal keys.
///
/// The index knows texts, not videos: whatever becomes of a video, a text under its key stays what it was, so nothing
/// that is read from the index can be out of date.
package struct TextKey: Hashable, Sendable {
  let bits: UInt64

  /// The key with these bits.
  init(bits: UInt64) { self.bits = bits }

  /// The key of a title in UTF-8.
  init(title: UnsafeRawBufferPointer) {
    // Apart from descriptions, whose fingerprints are those of their JSON form.
    bits = Fingerprint.of(title) ^ 0x9e37_79b9_7f4a_7c15
  }

  /// The key of a description.
  package init(_ description: Description) { bits = description.fingerprint }
}
