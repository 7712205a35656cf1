/// The folders for the log, for state of this machine, and for caches.
package struct Folders: Equatable, Sendable {
  /// `$XDG_DATA_HOME/metube-rss`, or the folder given with `--home`.
  package var data: String
  /// `$XDG_STATE_HOME/metube-rss`, or `state` in that folder.
  package var state: String
  /// `$XDG_CACHE_HOME/metube-rss`, or `cache` in that folder.
  package var cache: String

  /// The log folder of a catalogue, which is read too and never written; nil if absent. See `CatalogueView`.
  package var catalogue: String?

  package init(data: String, state: String, cache: String) {
    (self.data, self.state, self.cache) = (data, state, cache)
  }

  /// The folder of every device's log: the only one to synchronise.
  package var log: String { data + "/log" }
  /// Copies of files made before they were rewritten.
  package var backups: String { data + "/backups" }
  /// Held while writing one batch.
  package var writerLock: String { state + "/log.lock" }
  /// Held during a whole poll.
  package var pollLock: String { state + "/poll.lock" }
  /// The file with this device's ID.
  package var deviceFile: String { state + "/device" }
  /// The file with what is known of the logs; see `Extent`.
  var extentFile: String { state + "/extent" }

  /// What the names of the catalogue's logs begin with.
  static let cataloguePrefix = "catalogue/"

  /// The path of a log by its name: `k3v9x2ap.jsonl`, or `catalogue/k3v9x2ap.jsonl`.
  func path(of name: String) -> String {
    guard let catalogue, name.hasPrefix(Folders.cataloguePrefix) else { return log + "/" + name }
    return catalogue + "/" + name.dropFirst(Folders.cataloguePrefix.count)
  }

  /// The names of all logs, sorted; those of the catalogue come last.
  func logNames() throws(LogError) -> [String] {
    let own = try Directory.names(in: log).filter { $0.hasSuffix(".jsonl") }
    guard let catalogue else { return own }
    let shared = try Directory.names(in: catalogue).filter { $0.hasSuffix(".jsonl") }
    return own + shared.map { Folders.cataloguePrefix + $0 }
  }
}
