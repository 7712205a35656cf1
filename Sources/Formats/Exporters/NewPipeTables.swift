/// The database of NewPipe in its version 9, of NewPipe 0.26 and later, as a backup has it: `newpipe.db` in a zip file.
///
/// Room, which opens it there, compares the tables with its own, so all of them are made, also those that stay empty.
package enum NewPipeTables {
  /// The name of the database in a backup.
  package static let entry = "newpipe.db"
  /// What the program calls YouTube in each `service_id`.
  package static let youTube: Int64 = 0

  /// Statements that make the tables.
  package static let schema: [StaticString] = [
    """
    CREATE TABLE subscriptions (uid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, service_id INTEGER NOT NULL, url TEXT,
      name TEXT, avatar_url TEXT, subscriber_count INTEGER, description TEXT, notification_mode INTEGER NOT NULL)
    """,
    "CREATE UNIQUE INDEX index_subscriptions_service_id_url ON subscriptions (service_id, url)",
    """
    CREATE TABLE search_history (creation_date INTEGER, service_id INTEGER NOT NULL, search TEXT,
      id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL)
    """,
    "CREATE INDEX index_search_history_search ON search_history (search)",
    """
    CREATE TABLE streams (uid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, service_id INTEGER NOT NULL,
      url TEXT NOT NULL, title TEXT NOT NULL, stream_type TEXT NOT NULL, duration INTEGER NOT NULL,
      uploader TEXT NOT NULL, uploader_url TEXT, thumbnail_url TEXT, view_count INTEGER, textual_upload_date TEXT,
      upload_date INTEGER, is_upload_date_approximation INTEGER)
    """,
    "CREATE UNIQUE INDEX index_streams_service_id_url ON streams (service_id, url)",
    """
    CREATE TABLE stream_history (stream_id INTEGER NOT NULL, access_date INTEGER NOT NULL,
      repeat_count INTEGER NOT NULL, PRIMARY KEY(stream_id, access_date),
      FOREIGN KEY(stream_id) REFERENCES streams(uid) ON UPDATE CASCADE ON DELETE CASCADE)
    """,
    "CREATE INDEX index_stream_history_stream_id ON stream_history (stream_id)",
    """
    CREATE TABLE stream_state (stream_id INTEGER NOT NULL, progress_time INTEGER NOT NULL, PRIMARY KEY(stream_id),
      FOREIGN KEY(stream_id) REFERENCES streams(uid) ON UPDATE CASCADE ON DELETE CASCADE)
    """,
    """
    CREATE TABLE playlists (uid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name TEXT,
      is_thumbnail_permanent INTEGER NOT NULL, thumbnail_stream_id INTEGER NOT NULL, display_index INTEGER NOT NULL)
    """,
    """
    CREATE TABLE playlist_stream_join (playlist_id INTEGER NOT NULL, stream_id INTEGER NOT NULL,
      join_index INTEGER NOT NULL, PRIMARY KEY(playlist_id, join_index),
      FOREIGN KEY(playlist_id) REFERENCES playlists(uid) ON UPDATE CASCADE ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED,
      FOREIGN KEY(stream_id) REFERENCES streams(uid) ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED)
    """,
    """
    CREATE UNIQUE INDEX index_playlist_stream_join_playlist_id_join_index
      ON playlist_stream_join (playlist_id, join_index)
    """,
    "CREATE INDEX index_playlist_stream_join_stream_id ON playlist_stream_join (stream_id)",
    """
    CREATE TABLE remote_playlists (uid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, service_id INTEGER NOT NULL,
      name TEXT, url TEXT, thumbnail_url TEXT, uploader TEXT, display_index INTEGER NOT NULL, stream_count INTEGER)
    """,
    "CREATE UNIQUE INDEX index_remote_playlists_service_id_url ON remote_playlists (service_id, url)",
    """
    CREATE TABLE feed (stream_id INTEGER NOT NULL, subscription_id INTEGER NOT NULL,
      PRIMARY KEY(stream_id, subscription_id),
      FOREIGN KEY(stream_id) REFERENCES streams(uid) ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      FOREIGN KEY(subscription_id) REFERENCES subscriptions(uid) ON UPDATE CASCADE ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED)
    """,
    "CREATE INDEX index_feed_subscription_id ON feed (subscription_id)",
    """
    CREATE TABLE feed_group (uid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name TEXT NOT NULL,
      icon_id INTEGER NOT NULL, sort_order INTEGER NOT NULL)
    """,
    "CREATE INDEX index_feed_group_sort_order ON feed_group (sort_order)",
    """
    CREATE TABLE feed_group_subscription_join (group_id INTEGER NOT NULL, subscription_id INTEGER NOT NULL,
      PRIMARY KEY(group_id, subscription_id),
      FOREIGN KEY(group_id) REFERENCES feed_group(uid) ON UPDATE CASCADE ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED,
      FOREIGN KEY(subscription_id) REFERENCES subscriptions(uid) ON UPDATE CASCADE ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED)
    """,
    "CREATE INDEX index_feed_group_subscription_join_subscription_id ON feed_group_subscription_join (subscription_id)",
    """
    CREATE TABLE feed_last_updated (subscription_id INTEGER NOT NULL, last_updated INTEGER,
      PRIMARY KEY(subscription_id),
      FOREIGN KEY(subscription_id) REFERENCES subscriptions(uid) ON UPDATE CASCADE ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED)
    """,
    "CREATE TABLE room_master_table (id INTEGER PRIMARY KEY, identity_hash TEXT)",
    "INSERT INTO room_master_table (id, identity_hash) VALUES (42, '7591e8039faa74d8c0517dc867af9d3e')",
    "PRAGMA user_version = 9",
  ]

  /// A subscription: its number, address, name.
  package static let subscription: StaticString = """
    INSERT INTO subscriptions (uid, service_id, url, name, notification_mode) VALUES (?, 0, ?, ?, 0)
    """
  /// A group of subscriptions: its number, name, position.
  package static let group: StaticString = "INSERT INTO feed_group (uid, name, icon_id, sort_order) VALUES (?, ?, 0, ?)"
  /// A member of a group: the numbers of both.
  package static let member: StaticString =
    "INSERT INTO feed_group_subscription_join (group_id, subscription_id) VALUES (?, ?)"
  /// A video: its number, address, title, seconds, channel, the channel's address, thumbnail, milliseconds since 1970.
  package static let stream: StaticString = """
    INSERT INTO streams (uid, service_id, url, title, stream_type, duration, uploader, uploader_url, thumbnail_url,
      upload_date, is_upload_date_approximation) VALUES (?, 0, ?, ?, 'VIDEO_STREAM', ?, ?, ?, ?, ?, 0)
    """
  /// A watched video: its number, milliseconds since 1970.
  package static let watch: StaticString = """
    INSERT OR IGNORE INTO stream_history (stream_id, access_date, repeat_count) VALUES (?, ?, 1)
    """
  /// A position: the number of the video, milliseconds.
  package static let position: StaticString =
    "INSERT OR REPLACE INTO stream_state (stream_id, progress_time) VALUES (?, ?)"
  /// A playlist: its number, name, the number of the video whose thumbnail it has, position.
  package static let playlist: StaticString = """
    INSERT INTO playlists (uid, name, is_thumbnail_permanent, thumbnail_stream_id, display_index) VALUES (?, ?, 0, ?, ?)
    """
  /// A video of a playlist: the numbers of both, position.
  package static let item: StaticString =
    "INSERT INTO playlist_stream_join (playlist_id, stream_id, join_index) VALUES (?, ?, ?)"
}
