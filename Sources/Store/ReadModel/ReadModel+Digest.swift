import Core
import SQLDrivers

extension ReadModel {
  /// Digests of the tables' contents, one each, without the row numbers and file positions that differ between builds.
  /// Two models of the same events have the same digest, also for different owners.
  package func digests() throws -> [UInt64] {
    try read { (database) throws(DatabaseError) in
      var digests: [UInt64] = []
      for query in ReadModel.contents {
        var hash: UInt64 = 0
        try database.scan(query) { row in
          for column in 0..<row.columnCount {
            let value = row.withBlob(column) { Fingerprint.of($0) } ^ (row.isNull(column) ? 1 : 0)
            hash = (hash ^ value) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 29
          }
        }
        digests.append(hash)
      }
      return digests
    }
  }

  /// One digest of all tables.
  package func digest() throws -> UInt64 {
    try digests().reduce(0) { ($0 ^ $1) &* 0x9e37_79b9_7f4a_7c15 }
  }

  /// Whether SQLite finds every page and index consistent (`PRAGMA integrity_check`). PostgreSQL sees to its own.
  package func isIntact() -> Bool {
    if storage == .server { return true }
    let verdict = try? database.first(.sqlite("PRAGMA integrity_check")) { $0.text(0) }
    return verdict == "ok"
  }

  /// Every table in an order that does not depend on the order of arrival.
  private static let contents: [SQL] = [
    """
    SELECT c.id, c.name, c.name_at, s.followed, s.followed_at, s.title, s.title_at, s.tags, s.tags_at, s.feed,
      s.feed_at, s.shorts, s.shorts_at, s.live, s.live_at, s.list_order, s.list_order_at, s.seen_before,
      s.seen_before_at, c.avatar, c.subscribers, c.videos, c.enriched_at, f.url, f.url_at, f.site, f.site_at, f.image,
      f.image_at, f.language, f.language_at, f.key_kind, f.key_kind_at
    FROM channel c LEFT JOIN subscription s ON s.channel = c.n LEFT JOIN feed f ON f.channel = c.n
    WHERE \(Channel.isKnown) ORDER BY c.id
    """,
    """
    SELECT handle, followed, title, tags, seen_before, action, followed_at, resolved, resolved_at FROM handle
    ORDER BY handle
    """,
    """
    SELECT v.id, v.found, c.id, v.published, v.title, v.title_at, v.link, v.link_at, v.zero_views, v.zero_views_at,
      v.thumbnail, v.thumbnail_at, v.text, v.text_at, v.feeds, v.channel_title, v.channel_title_at, v.moved, v.moved_at,
      v.changed, v.duration, v.duration_at, v.live, v.live_at, v.enriched_duration, v.enriched_live, v.scheduled,
      v.started, v.ended, v.enriched_at, v.upcoming_first, v.upcoming_last, v.removed, v.removed_at
    FROM video v LEFT JOIN channel c ON c.n = v.channel ORDER BY v.id
    """,
    """
    SELECT id, key, key_at, link, link_at, media, media_at, image, image_at, author, author_at, season, season_at,
      episode, episode_at, explicit, explicit_at
    FROM entry ORDER BY id
    """,
    "SELECT video, alias FROM entry_alias ORDER BY video, alias",
    "SELECT feed, into_feed FROM feed_merge ORDER BY feed, into_feed",
    "SELECT c.id, k.entry FROM known_entry k JOIN channel c ON c.n = k.channel ORDER BY c.id, k.entry",
    "SELECT p.video, c.id FROM playlist_video p JOIN channel c ON c.n = p.playlist ORDER BY p.video, c.id",
    """
    SELECT video, status, until, watched_at, reason, status_at, saved, saved_at, progress, progress_at, note, note_at,
      history
    FROM decision ORDER BY video
    """,
    """
    SELECT video, title, channel, channel_title, published, duration, source, described_at FROM described ORDER BY video
    """,
    "SELECT name, video, member, member_at FROM collection ORDER BY name, video",
    "SELECT name, kept, kept_at, text, text_at FROM collection_register ORDER BY name",
    "SELECT name, channel, value, value_at FROM preference ORDER BY name, channel",
    """
    SELECT id, made, changed, verdict, contains, matches, field, minimum_length, maximum_length, short, live, age, tag,
      subscription
    FROM rule ORDER BY id
    """,
    """
    SELECT id, checked, not_due, failed, new, changed, gaps, outage, stopped, milliseconds, bytes, unrequested FROM run
    ORDER BY id
    """,
    "SELECT id, channel, after, before, closed FROM gap ORDER BY id",
    "SELECT action FROM undone ORDER BY action",
    """
    SELECT l.open, l.published, l.video, c.id, l.class, l.found FROM listing l JOIN channel c ON c.n = l.channel
    ORDER BY l.video
    """,
    """
    SELECT s.open, s.published, s.video, c.id, s.class, s.found, s.then_at, s.then_class, s.later_at,
      s.later_class, s.blocked_since, s.blocked_until, s.playlists
    FROM special s JOIN channel c ON c.n = s.channel ORDER BY s.video
    """,
    """
    SELECT c.id, t.class, t.count FROM tally t JOIN channel c ON c.n = t.channel ORDER BY c.id, t.class
    """,
  ]
}
