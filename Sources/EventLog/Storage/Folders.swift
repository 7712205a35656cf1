/// The folders for the log, for state of this machine, and for caches.
package struct Folders: Equatable, Sendable {
  /// `$XDG_DATA_HOME/metube-rss`, or the folder given with `--home`.
  package var data: String
  /// `$XDG_STATE_HOME/metube-rss`, or `state` in that folder.
  package var state: String
  /// `$XDG_CACHE_HOME/metube-rss`, or `cache` in that folder.
  package var cache: String

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
}
