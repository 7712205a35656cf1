import SQLDrivers

/// The tables of the read model, in SQLite's dialect; Migrations has them in PostgreSQL's.
///
/// Facts from YouTube (`channel`, `video`, `run`, `gap`) have no user in their keys: a file of SQLite is one user's, and in
/// PostgreSQL each owner has rows of their own. What a user decided has the user in its key, 0 in the terminal. A last-writer-wins register is two columns, `x` and `x_at`: its value and the ID of the event that wrote it.
/// Times are seconds since 1970. `n` is the order of arrival in this database, and means nothing outside it.
enum Schema {
  /// Part of the file's name: a database of another version is never opened.
  static let version = 7
  /// `mtub`: tells our database from any other SQLite file.
  static let applicationID: Int64 = 0x6d74_7562

  static let tables: SQL = """
    CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;

    CREATE TABLE channel(
      n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT, name_at BLOB,
      avatar TEXT, subscribers INTEGER, videos INTEGER, enriched_at BLOB);

    CREATE TABLE subscription(
      owner INTEGER NOT NULL, channel INTEGER NOT NULL,
      followed INTEGER, followed_at BLOB, title TEXT, title_at BLOB, tags TEXT, tags_at BLOB, feed TEXT, feed_at BLOB,
      shorts TEXT, shorts_at BLOB, live TEXT, live_at BLOB, list_order TEXT, list_order_at BLOB,
      seen_before INTEGER, seen_before_at BLOB,
      -- 1: followed; 2: its Shorts are listed; 4: its streams are hidden; 8: its Shorts are hidden. See `SourceMarks`.
      marks INTEGER NOT NULL GENERATED ALWAYS AS (
        coalesce(followed, 0) + CASE WHEN coalesce(shorts = 'show', feed = 'shorts') THEN 2 ELSE 0 END
        + CASE WHEN live = 'hide' THEN 4 ELSE 0 END + CASE WHEN shorts = 'hide' THEN 8 ELSE 0 END) STORED,
      PRIMARY KEY(owner, channel)) WITHOUT ROWID;

    -- What is known of feeds of other sites alone.
    CREATE TABLE feed(
      channel INTEGER PRIMARY KEY, url TEXT, url_at BLOB, site TEXT, site_at BLOB, image TEXT, image_at BLOB,
      language TEXT, language_at BLOB,
      -- The first decision counts.
      key_kind TEXT, key_kind_at BLOB);
    CREATE TABLE feed_merge(feed TEXT NOT NULL, into_feed TEXT NOT NULL, PRIMARY KEY(feed, into_feed)) WITHOUT ROWID;
    -- The first 64 bits of the IDs of entries that are known but were not found.
    CREATE TABLE known_entry(channel INTEGER NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY(channel, entry)) WITHOUT ROWID;

    CREATE TABLE handle(
      owner INTEGER NOT NULL, handle TEXT NOT NULL,
      followed INTEGER, title TEXT, tags TEXT, seen_before INTEGER, action BLOB, followed_at BLOB,
      resolved TEXT, resolved_at BLOB, PRIMARY KEY(owner, handle)) WITHOUT ROWID;

    -- Columns of the first sight (channel, published) belong to the earliest `found`. title, link, views, text and
    -- thumbnail are registers whose x_at is NULL where the first sight wrote them, as of most videos.
    CREATE TABLE video(
      n INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, found BLOB, channel INTEGER, published INTEGER,
      title TEXT, title_at BLOB, link INTEGER NOT NULL DEFAULT 0, link_at BLOB,
      zero_views INTEGER NOT NULL DEFAULT 0, zero_views_at BLOB, thumbnail TEXT, thumbnail_at BLOB,
      -- The description's fingerprint, and where its text lies in the log.
      text INTEGER, text_file INTEGER, text_offset INTEGER, text_length INTEGER, text_at BLOB,
      feeds INTEGER NOT NULL DEFAULT 0, file INTEGER, line INTEGER,
      channel_title TEXT, channel_title_at BLOB, moved INTEGER, moved_at BLOB, changed BLOB,
      duration INTEGER, duration_at BLOB, live TEXT, live_at BLOB,
      enriched_duration INTEGER, enriched_live TEXT, scheduled INTEGER, started INTEGER, ended INTEGER, enriched_at BLOB,
      upcoming_first BLOB, upcoming_last BLOB, removed INTEGER, removed_at BLOB);

    -- Entries of feeds, also those that were only decided on. Their other columns are those of `video`: `link` is the type
    -- of the first of `media`, `scheduled` the date of the first sight if that was far ahead.
    CREATE TABLE entry(
      video INTEGER PRIMARY KEY, id BLOB NOT NULL, key TEXT, key_at BLOB, link TEXT, link_at BLOB,
      media TEXT, media_at BLOB, image TEXT, image_at BLOB, author TEXT, author_at BLOB, season INTEGER, season_at BLOB,
      episode INTEGER, episode_at BLOB, explicit INTEGER, explicit_at BLOB);
    CREATE TABLE entry_alias(video INTEGER NOT NULL, alias BLOB NOT NULL, PRIMARY KEY(video, alias)) WITHOUT ROWID;

    -- Descriptions that stand in no log file.
    CREATE TABLE text(fingerprint INTEGER NOT NULL PRIMARY KEY, text TEXT NOT NULL);

    CREATE TABLE playlist_video(video INTEGER NOT NULL, playlist INTEGER NOT NULL, PRIMARY KEY(video, playlist))
      WITHOUT ROWID;

    CREATE TABLE decision(
      owner INTEGER NOT NULL, video INTEGER NOT NULL,
      status TEXT, until INTEGER, watched_at INTEGER, reason TEXT, status_at BLOB,
      saved INTEGER, saved_at BLOB, progress INTEGER, progress_at BLOB, note TEXT, note_at BLOB,
      -- When a watched video was watched: as a history file said, else when it was marked.
      history INTEGER,
      PRIMARY KEY(owner, video)) WITHOUT ROWID;

    -- What the user's log says of videos that feeds may never show.
    CREATE TABLE described(
      owner INTEGER NOT NULL, video INTEGER NOT NULL, title TEXT, channel TEXT, channel_title TEXT, published INTEGER,
      duration INTEGER, source TEXT NOT NULL, described_at BLOB NOT NULL, PRIMARY KEY(owner, video)) WITHOUT ROWID;

    CREATE TABLE collection(
      owner INTEGER NOT NULL, name TEXT NOT NULL, video INTEGER NOT NULL, member INTEGER NOT NULL, member_at BLOB NOT NULL,
      PRIMARY KEY(owner, name, video)) WITHOUT ROWID;

    CREATE TABLE collection_register(
      owner INTEGER NOT NULL, name TEXT NOT NULL, kept INTEGER, kept_at BLOB, text TEXT, text_at BLOB,
      PRIMARY KEY(owner, name)) WITHOUT ROWID;

    CREATE TABLE preference(
      owner INTEGER NOT NULL, name TEXT NOT NULL,
      -- Empty for all channels.
      channel TEXT NOT NULL,
      -- NULL once it is unset.
      value TEXT, value_at BLOB NOT NULL, PRIMARY KEY(owner, name, channel)) WITHOUT ROWID;

    CREATE TABLE rule(
      owner INTEGER NOT NULL, id TEXT NOT NULL, made BLOB NOT NULL, changed BLOB NOT NULL,
      -- NULL once it is removed.
      verdict TEXT, contains TEXT, matches TEXT, field TEXT, minimum_length INTEGER, maximum_length INTEGER,
      short INTEGER, live INTEGER, age INTEGER, tag TEXT, subscription TEXT,
      PRIMARY KEY(owner, id)) WITHOUT ROWID;

    CREATE TABLE run(
      id BLOB PRIMARY KEY, checked INTEGER, not_due INTEGER, failed INTEGER, new INTEGER, changed INTEGER, gaps INTEGER,
      outage INTEGER, stopped TEXT, milliseconds INTEGER, bytes INTEGER, unrequested INTEGER) WITHOUT ROWID;

    CREATE TABLE gap(id BLOB PRIMARY KEY, channel TEXT, after INTEGER, before INTEGER, closed INTEGER NOT NULL DEFAULT 0)
      WITHOUT ROWID;

    -- Where the lines of events stand, for `why`, `show` and `undo`. The first line of each video is in `video` itself.
    CREATE TABLE event(
      subject INTEGER NOT NULL, file INTEGER NOT NULL, line INTEGER NOT NULL, action BLOB, device INTEGER,
      PRIMARY KEY(subject, file, line)) WITHOUT ROWID;
    CREATE TABLE undone(action BLOB PRIMARY KEY) WITHOUT ROWID;
    """

  /// What lists read, made from the tables above by `ListingEntry`; see there.
  static let listings: SQL = """
    -- The conditions on texts of the rules in force, and the videos that satisfy them; see `TextConditions`.
    CREATE TABLE text_condition(id INTEGER PRIMARY KEY, contains TEXT, matches TEXT, field TEXT);
    CREATE TABLE hit(condition INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY(condition, n)) WITHOUT ROWID;
    -- Of how many texts of a video a pattern has no verdict.
    CREATE TABLE text_limit(
      condition INTEGER NOT NULL, n INTEGER NOT NULL, texts INTEGER NOT NULL, PRIMARY KEY(condition, n)) WITHOUT ROWID;
    -- Which videos rules hide, from when until when; rules on ages begin and end to apply as time goes by.
    CREATE TABLE block(
      owner INTEGER NOT NULL, n INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL,
      PRIMARY KEY(owner, n)) WITHOUT ROWID;
    -- Every video that was found and whose class never changes by itself; `open`: it may be new to the user.
    CREATE TABLE listing(
      owner INTEGER NOT NULL, open INTEGER NOT NULL, published INTEGER NOT NULL, video INTEGER NOT NULL,
      channel INTEGER NOT NULL, class INTEGER NOT NULL, found INTEGER NOT NULL, n INTEGER NOT NULL, duration INTEGER,
      PRIMARY KEY(owner, open, published DESC, video)) WITHOUT ROWID;
    -- The others: those whose class changes with time, and those that are also in followed playlists.
    CREATE TABLE special(
      owner INTEGER NOT NULL, n INTEGER NOT NULL, open INTEGER NOT NULL, published INTEGER NOT NULL,
      video INTEGER NOT NULL, channel INTEGER NOT NULL, class INTEGER NOT NULL, found INTEGER NOT NULL,
      duration INTEGER, then_at INTEGER, then_class INTEGER, later_at INTEGER, later_class INTEGER,
      blocked_since INTEGER, blocked_until INTEGER, playlists INTEGER NOT NULL,
      PRIMARY KEY(owner, n)) WITHOUT ROWID;
    -- How many rows of `listing` a channel has of each class.
    CREATE TABLE tally(
      owner INTEGER NOT NULL, channel INTEGER NOT NULL, class INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY(owner, channel, class)) WITHOUT ROWID;
    """

  /// What a search in SQLite scans, made at the first one; see `SearchDocuments`. `doc_edit` has videos whose title or
  /// text changed.
  static let documents: SQL = """
    CREATE TABLE doc(chunk INTEGER NOT NULL PRIMARY KEY, titles BLOB NOT NULL, texts BLOB NOT NULL, channels BLOB NOT NULL);
    CREATE TABLE doc_cover(identity INTEGER NOT NULL, covered INTEGER NOT NULL);
    CREATE TABLE doc_edit(n INTEGER NOT NULL PRIMARY KEY);
    """

  /// Writes an entry of `meta`: key, value.
  static let setMeta: SQL =
    "INSERT INTO meta(key, value) VALUES (?, ?) ON CONFLICT(/*owner,*/ key) DO UPDATE SET value = excluded.value"

  /// Made after a first build: an index filled at once is smaller and takes a third of the time.
  static let indexes: SQL = """
    CREATE INDEX playlist_videos ON playlist_video(playlist);
    CREATE INDEX decision_history ON decision(owner, history, status_at) WHERE history IS NOT NULL;
    CREATE INDEX decision_saved ON decision(owner) WHERE saved = 1;
    CREATE INDEX collection_video ON collection(owner, video);
    CREATE INDEX event_action ON event(device, action) WHERE action IS NOT NULL;
    -- The channel first: a first build sorts by it twice as fast as by what is the same in all rows.
    CREATE INDEX listing_channel ON listing(channel, owner, open, published DESC, video, class, found, n, duration);
    CREATE INDEX video_channel_title ON video(channel, channel_title, n) WHERE channel_title IS NOT NULL;
    """
}
