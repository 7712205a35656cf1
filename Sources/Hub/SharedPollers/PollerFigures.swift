import SQLDrivers

/// What an operator watches of a database's pollers. Counts, unless the name says otherwise.
package struct PollerFigures {
  /// Feeds that are due, and those that are for 15 minutes or more.
  package let due, late: Int
  /// How long the feed that is due longest waits.
  package let longestWaitSeconds: Int
  /// Pauses in force.
  package let pauses: Int
  package let pollers: Int
  /// How long ago a poller was seen; -1 if none was for a week.
  package let seenSeconds: Int
  /// Feeds claimed by pollers that did not finish them in time.
  package let lostClaims: Int
  /// Videos that wait for the Data API.
  package let lookupsDue: Int
  /// Connections of the database that wait for another one.
  package let waitingConnections: Int
  package let databaseBytes: Int
  package let failing: Int
  /// Units of the Data API that were used today.
  package let unitsToday: Int

  /// Reads them in one statement; nil without tables of pollers.
  package init?(_ database: Database) throws {
    let row = try database.first(
      """
      SELECT (SELECT count(*) FROM poll_channel WHERE due < unix_time()),
        (SELECT count(*) FROM poll_channel WHERE due < unix_time() - 900),
        (SELECT coalesce(unix_time() - min(due), 0) FROM poll_channel WHERE due < unix_time()),
        (SELECT count(*) FROM poll_pause WHERE retry > unix_time()),
        (SELECT working FROM poller_life()),
        (SELECT coalesce(unix_time() - seen, -1) FROM poller_life()),
        lost,
        (SELECT count(*) FROM video_lookup WHERE due < unix_time()),
        (SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0),
        (SELECT pg_database_size(current_database())),
        failing,
        (SELECT coalesce(sum(units_taken(
            known, (now() AT TIME ZONE 'America/Los_Angeles')::date - DATE '1970-01-01')), 0)::bigint
          FROM api_key AS known)
      FROM (SELECT count(*) FILTER (WHERE lease_until < unix_time()) AS lost,
          count(*) FILTER (
            WHERE due IS NOT NULL AND (failures > 0 OR answered IS NULL AND last_answer IS NOT NULL)) AS failing
        FROM poll_channel) AS feeds
      """
    ) { row in (0..<12).map { Int(row.int($0)) } }
    guard let row else { return nil }
    (due, late, longestWaitSeconds, pauses) = (row[0], row[1], row[2], row[3])
    (pollers, seenSeconds, lostClaims, lookupsDue) = (row[4], row[5], row[6], row[7])
    (waitingConnections, databaseBytes, failing, unitsToday) = (row[8], row[9], row[10], row[11])
  }
}
