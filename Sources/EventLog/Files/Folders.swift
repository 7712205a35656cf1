/// Where the log, what belongs to this machine, and what can be made again are kept.
package struct Folders: Equatable, Sendable {
  /// `$XDG_DATA_HOME/metube-rss`, or the one folder of `--home`.
  package var data: String
  /// `$XDG_STATE_HOME/metube-rss`, or `state` there.
  package var state: String
  /// `$XDG_CACHE_HOME/metube-rss`, or `cache` there.
  package var cache: String

  package init(data: String, state: String, cache: String) {
    self.data = data
    self.state = state
    self.cache = cache
  }

  /// The folder of every device's log: the only one to synchronise.
  package var log: String { data + "/log" }
  /// Copies of files before they were rewritten.
  package var backups: String { data + "/backups" }
  /// Held for the writing of one batch.
  package var writerLock: String { state + "/log.lock" }
  /// Held for a whole poll.
  package var pollLock: String { state + "/poll.lock" }
  /// The state at some point of the logs.
  package var checkpoint: String { cache + "/checkpoint" }
  /// Where in the logs the events about each thing are.
  package var places: String { cache + "/places" }
  /// The index of the texts of videos.
  package var texts: String { cache + "/texts" }
  /// The file with this device's id.
  package var deviceFile: String { state + "/device" }
}
