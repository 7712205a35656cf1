import Core
import EventLog

/// Whether this device has exchanged anything with its hub; `HubState` of the module Sync has the rest of the record.
package enum HubExchange {
  /// The file with the record.
  package static func path(in home: Home) -> String { "\(home.state)/hub" }

  /// Whether the settings name a hub with which nothing was exchanged yet, so that what the user decided elsewhere is
  /// unknown here. A setting that is invalid is reported by the commands that need the hub.
  static func isAwaited(_ settings: Settings, in home: Home) -> Bool {
    guard let url = try? settings.hubURL() else { return false }
    // Broken, it is as if lost.
    guard let record = try? StateFile.read(path(in: home))?.first, record.text("url") == url else { return true }
    return record.time("synced") == nil
  }
}
