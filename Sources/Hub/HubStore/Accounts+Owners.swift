import SQLDrivers

/// With PostgreSQL, what accounts and logs have to do with each other: a user owns a log from the beginning.
extension Accounts {
  /// Adds a user with an empty log, to which the hub appends under the ID `device`; returns false if the name is taken.
  package func addOwner(_ name: String, hash: String, device: String, now: Int64) throws -> Bool {
    try database.transaction { try insertOwner(name, hash: hash, device: device, now: now) }
  }

  /// Inserts an owner, within a transaction.
  func insertOwner(_ name: String, hash: String, device: String, now: Int64) throws -> Bool {
    guard try addUser(name, hash: hash, now: now) else { return false }
    try database.run("INSERT INTO owner(name, device) VALUES (?, ?)", name, device)
    return true
  }

  /// The position of the logs that a user reads: the owner's number, the number of lines, and that of the catalogue;
  /// nil if the user was removed.
  package func position(of user: String) throws -> [UInt64]? { try positions(of: [user])[user] }

  /// The positions of several users.
  package func positions(of users: [String]) throws -> [String: [UInt64]] {
    var positions: [String: [UInt64]] = [:]
    try database.forEach(
      """
      SELECT name, n, lines, coalesce((SELECT lines FROM owner WHERE n = 0), 0) FROM owner WHERE name = ANY(?::text[])
      """, Database.array(users)
    ) { positions[$0.text(0)] = [UInt64($0.int(1)), UInt64($0.int(2)), UInt64($0.int(3))] }
    return positions
  }

  /// Whether a device's log is another owner's, and not this user's.
  package func isOfAnother(_ device: String, than user: String) throws -> Bool {
    let owners = try database.first(
      """
      SELECT count(*), count(*) FILTER (WHERE owner.name = ?2) FROM owner
      WHERE removed IS NULL
        AND n IN (SELECT n FROM owner WHERE device = ?1 UNION ALL SELECT owner FROM log WHERE name = ?1)
      """, device, user
    ) { (all: $0.int(0), own: $0.int(1)) }
    return owners.map { $0.all > 0 && $0.own == 0 } ?? false
  }

  /// Whether a device's log is one of the catalogue's and not one of this user's own.
  package func isOfCatalogue(_ device: String, notOf user: String) throws -> Bool {
    let isIt = try database.integer(
      """
      SELECT 1 WHERE EXISTS (SELECT FROM owner WHERE n = 0 AND device = ?1
          UNION ALL SELECT FROM log WHERE owner = 0 AND name = ?1)
        AND NOT EXISTS (SELECT FROM log JOIN owner ON owner.n = log.owner WHERE log.name = ?1 AND owner.name = ?2)
      """, device, user)
    return isIt == 1
  }

  /// Whether a device's log is the one that the hub itself writes for a user.
  package func isOwn(_ device: String, of user: String) throws -> Bool {
    try database.integer("SELECT count(*) FROM owner WHERE device = ? AND name = ?", device, user) == 1
  }

  // MARK: Limits

  /// Counts that something happened some times, for all processes; nil if that is no more than `maximum` in a minute, else
  /// the seconds until it may happen again.
  package func count(_ key: String, times: Int, maximum: Int) throws -> Int? {
    try database.integer("SELECT count_attempt(?, ?, ?, unix_time())", key, times, maximum).map { Int($0) }
  }

  /// What all processes counted by some keys in minutes that are not over, and after how many seconds they are.
  package func attempts(_ keys: [String]) throws -> [String: (count: Int, seconds: Int)] {
    var counts: [String: (count: Int, seconds: Int)] = [:]
    try database.forEach(
      """
      SELECT key, count, began + 60 - unix_time() FROM attempt
      WHERE key = ANY(?::text[]) AND began > unix_time() - 60
      """, Database.array(keys)
    ) { counts[$0.text(0)] = (Int($0.int(1)), Int($0.int(2))) }
    return counts
  }

  /// Gives back one of what was counted by each key, if its minute is not over.
  package func takeBack(attempts keys: [String]) throws {
    try database.run(
      """
      UPDATE attempt SET count = count - 1
      WHERE key = ANY(?::text[]) AND count > 0 AND began > unix_time() - 60
      """, Database.array(keys))
  }

  // MARK: Figures

  /// What `status` shows of a hub's database.
  package struct Figures: Sendable {
    package var users: Int
    /// The lines of the catalogue's log.
    package var lines: Int
    /// The web processes that listen for news.
    package var processes: Int
    /// The logs that are marked as damaged.
    package var damaged: Int
  }

  /// How many videos and channels the catalogue knows: their last numbers, because millions take long to be counted.
  package func counts() throws -> (videos: Int, channels: Int) {
    let found = try database.first(
      """
      SELECT coalesce((SELECT max(n) FROM all_video WHERE owner = 0), 0),
        coalesce((SELECT max(n) FROM all_channel WHERE owner = 0), 0)
      """
    ) { (videos: Int($0.int(0)), channels: Int($0.int(1))) }
    return found ?? (0, 0)
  }

  /// How many logs are marked as damaged: they came so with a move, or it was found when their lines were read.
  package func damagedLogs() throws -> Int {
    Int(try database.integer("SELECT count(*) FROM log WHERE damaged") ?? 0)
  }

  /// Whether the server takes changes; a standby does not.
  package var isWritable: Bool {
    get throws {
      try database.first("SELECT current_setting('transaction_read_only')") { $0.text(0) } != "on"
    }
  }

  /// What there is now; few rows are read.
  package func figures() throws -> Figures {
    let found = try database.first(
      """
      SELECT (SELECT count(*) FROM user), coalesce((SELECT lines FROM owner WHERE n = 0), 0),
        (SELECT count(*) FROM pg_stat_activity
          WHERE application_name = ? || current_schema() AND datname = current_database()),
        (SELECT count(*) FROM log WHERE damaged)
      """, Accounts.listenerName
    ) { Figures(users: Int($0.int(0)), lines: Int($0.int(1)), processes: Int($0.int(2)), damaged: Int($0.int(3))) }
    return found ?? Figures(users: 0, lines: 0, processes: 0, damaged: 0)
  }

  /// Lets the database notify a connection of each append: `notifications` are the owners. `figures` counts such
  /// connections.
  package static func listen(on database: Database) throws {
    try database.run("SELECT set_config('application_name', ? || current_schema(), false)", listenerName)
    try database.execute("LISTEN metube_log")
  }

  /// The number of a user's log; nil if the user was removed.
  package static func owner(of user: String, in database: Database) throws -> Int64? {
    try database.integer("SELECT n FROM owner WHERE name = ?", user)
  }

  /// What the application name of a web process's listening connection begins with, before the schema.
  private static let listenerName = "metube-hub "
}

extension Accounts {
  /// The bytes of each user's logs, and how many of the logs are marked as damaged.
  package func figuresOfLogs() throws -> [String: (bytes: UInt64, damaged: Int)] {
    var figures: [String: (bytes: UInt64, damaged: Int)] = [:]
    try database.forEach(
      """
      SELECT owner.name, coalesce(sum(log.length), 0)::bigint, count(*) FILTER (WHERE log.damaged)
      FROM owner LEFT JOIN log ON log.owner = owner.n WHERE owner.name IS NOT NULL GROUP BY owner.name
      """
    ) { figures[$0.text(0)] = (UInt64($0.int(1)), Int($0.int(2))) }
    return figures
  }
}
