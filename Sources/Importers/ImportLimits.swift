/// Limits on what is read from a file; real files stay far below.
package struct ImportLimits: Sendable {
  /// Bytes of a text, CSV or OPML file.
  package var textBytes: Int
  /// Bytes of a JSON or HTML file, and of everything unpacked from an archive.
  package var streamedBytes: Int
  /// Rows of subscriptions, and rows reported individually.
  package var rows: Int
  /// Distinct videos of a history, and videos of the collections.
  package var watches: Int
  /// Entries of an archive.
  package var archiveEntries: Int
  /// Maximum ratio of unpacked to packed size of an entry.
  package var archiveRatio: Int

  /// The limits for user files.
  package static let standard = ImportLimits(
    textBytes: 64 << 20, streamedBytes: 2 << 30, rows: 100_000, watches: 2_000_000, archiveEntries: 100_000,
    archiveRatio: 200)
}
