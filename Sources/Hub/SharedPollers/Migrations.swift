import SQLDrivers

extension Migration {
  /// The tables by which pollers share their work.
  package static let polling = Migration(number: 3, name: "polling", sql: PackageResources._003_polling_sql)
  /// What they look up in the Data API, and how long they live.
  package static let pollers = Migration(number: 5, name: "pollers", sql: PackageResources._005_pollers_sql)
  /// In whose turn a feed is requested.
  package static let turns = Migration(number: 7, name: "turns", sql: PackageResources._007_turns_sql)
  /// View counts, and titles of videos that no feed has shown.
  package static let lookups = Migration(number: 14, name: "lookups", sql: PackageResources._014_lookups_sql)
  /// What looks up videos alone, where entries of other feeds have rows too.
  package static let videoLookups = Migration(number: 16, name: "videos", sql: PackageResources._016_videos_sql)
  /// Searches on YouTube, and what they cost.
  package static let names = Migration(number: 12, name: "names", sql: PackageResources._012_names_sql)
}
