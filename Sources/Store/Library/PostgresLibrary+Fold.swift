import Core
import EventLog
import ReadModel
import SQLDrivers

/// How lines reach the tables: the owner's own all, and of the catalogue those that stand under what the own log names.
///
/// Events may be applied in any order, so that lines which begin to concern the owner later are simply read then.
extension PostgresLibrary {
  /// An event and where its line begins.
  struct LoggedEvent {
    var event: Event
    var line: PostgresLog.Line

    var pending: ReadModel.PendingEvent { ReadModel.PendingEvent(event: event, file: line.log, line: line.start) }
  }

  /// The events of lines; broken lines and those of kinds that this program does not know are passed over.
  func read(_ lines: [PostgresLog.Line]) -> [LoggedEvent] {
    var reader = EventLineReader()
    return lines.compactMap { line in
      reader.event(of: line.bytes, log: line.log, start: line.start).map { LoggedEvent(event: $0, line: line) }
    }
  }

  /// The events of lines, without those that are too far ahead of the clock to count yet.
  func events(of lines: [PostgresLog.Line]) -> [LoggedEvent] { read(lines).filter { !isAhead($0.event) } }

  /// The numbers of the catalogue's lines that concern the owner, in a span; of further subjects from the first one on.
  func numbers(
    after number: Int64, upTo last: Int64, further: some Collection<String>
  ) throws(DatabaseError) -> Set<Int64> {
    var numbers: Set<Int64> = []
    if last <= number, further.isEmpty { return numbers }
    try database.forEach(
      "SELECT lines_for(?, ?, ?, ?::text[], ?)", owner, number, last, Database.array(further), RecentRuns.maximum
    ) { numbers.insert($0.int(0)) }
    return numbers
  }

  /// What the owner sees of some events of the catalogue, as far as is known now.
  func visible(_ events: [Event]) throws -> [Event] {
    guard !events.isEmpty else { return [] }
    let view = try CatalogueView(
      CatalogueView(sourcesOf: model), CatalogueView(), videos: model.shown(among: events.compactMap(\.body.video)))
    return events.compactMap { view.visible($0) }
  }

  // MARK: Folding

  /// Applies lines of the owner and what concerns them of the catalogue, some of whose lines are given; the tables then
  /// reach as far as `next`.
  func fold(_ own: [PostgresLog.Line], _ due: [PostgresLog.Line], _ next: Reach) throws {
    keepTexts(of: read(own))
    let events = events(of: own)
    if owner == 0 { try file(read(own)) }
    var named = CatalogueView()
    for logged in events { named.note(logged.event.body) }
    let seen = owner == 0 ? [] : try concerning(named, due, next)
    let isNews = stored == nil || !events.isEmpty || !seen.isEmpty || next.own != stored?.own
    guard isNews || next.catalogue - (stored?.catalogue ?? 0) > PostgresLibrary.maxUnstored else {
      return note(next, isStored: false)
    }
    let isApplied = try model.update(from: coverage, to: next.bytes, (events + seen).map(\.pending))
    // The owner is locked, so that no other process can have moved the tables on.
    guard isApplied else { throw DatabaseError.busy }
    try want(named)
    if owner == 0 { try database.send("UPDATE owner SET filed = ? WHERE n = 0", next.own) }
    note(next, isStored: true)
  }

  /// What the owner sees of the catalogue's lines since the last time, and of all lines under what is named now for the
  /// first time.
  private func concerning(
    _ named: CatalogueView, _ due: [PostgresLog.Line], _ next: Reach
  ) throws -> [LoggedEvent] {
    let new = try unknown(among: named.subjectTexts)
    var numbers = try numbers(after: reached.catalogue, upTo: next.catalogue, further: new)
    var lines = try log.linesOfCatalogue(numbers.sorted()) + due
    linesRead += lines.count
    var events = events(of: lines)
    if events.isEmpty { return [] }
    keepTexts(of: events)
    let shown = try model.shown(among: Set(events.compactMap(\.event.body.video)))
    var view = try CatalogueView(CatalogueView(sourcesOf: model), named, videos: shown)
    for logged in events { _ = view.take(logged.event) }
    // A video that is seen for the first time brings what was known of it before.
    let fresh = view.videos.subtracting(shown).map(CatalogueView.subject)
    let more = try self.numbers(after: next.catalogue, upTo: next.catalogue, further: fresh).subtracting(numbers)
    if !more.isEmpty {
      lines = try log.linesOfCatalogue(more.sorted())
      linesRead += lines.count
      numbers.formUnion(more)
      let further = self.events(of: lines)
      keepTexts(of: further)
      for logged in further { _ = view.take(logged.event) }
      events += further
    }
    return events.compactMap { logged in
      view.visible(logged.event).map { LoggedEvent(event: $0, line: logged.line) }
    }
  }

  /// Keeps the descriptions of lines that are about to be applied, unless they are many.
  private func keepTexts(of events: [LoggedEvent]) {
    guard texts.count + events.count < 5000 else { return }
    for logged in events {
      guard case .log(let range)? = logged.event.body.description?.source, range.offset >= logged.line.start else {
        continue
      }
      let start = Int(range.offset - logged.line.start)
      let end = start + Int(range.length)
      guard end <= logged.line.bytes.count else { continue }
      texts[TextPosition(log: range.file, offset: range.offset)] = Array(logged.line.bytes[start..<end])
    }
  }

  // MARK: Subjects

  /// Those subjects that the owner's log did not name before.
  private func unknown(among subjects: Set<String>) throws(DatabaseError) -> Set<String> {
    if subjects.isEmpty { return [] }
    var unknown = subjects
    try database.forEach(
      """
      SELECT each.subject FROM unnest(CAST(?2 AS text[])) AS each(subject)
        JOIN LATERAL (SELECT FROM wanted WHERE owner = ?1 AND subject = indexed(each.subject) LIMIT 1) w ON true
      """, owner, Database.array(subjects)
    ) { unknown.remove($0.text(0)) }
    return unknown
  }

  /// Records what was named, and who follows it, as the tables say now. Nobody wants feeds of other sites (`f…`): no poll
  /// requests them.
  private func want(_ named: CatalogueView) throws(DatabaseError) {
    if named.subjectTexts.isEmpty || owner == 0 { return }
    let isLimited = try isNearLimit(named.subjectTexts)
    if isLimited { try wantFirst() }
    try database.run(
      """
      INSERT INTO wanted AS w(owner, subject, followed, form)
      SELECT ?1, indexed(each.subject), coalesce(s.followed, h.followed, 0) = 1 AND each.subject NOT LIKE 'f%', s.feed
      FROM unnest(CAST(?2 AS text[])) AS each(subject)
        LEFT JOIN LATERAL (SELECT n FROM channel WHERE id = each.subject LIMIT 1) c ON true
        LEFT JOIN LATERAL (SELECT * FROM subscription WHERE owner = ?1 AND channel = c.n LIMIT 1) s ON true
        LEFT JOIN LATERAL (
          SELECT * FROM handle WHERE owner = ?1 AND indexed(handle) = indexed(each.subject) LIMIT 1) h ON true
      WHERE ?3 = 0 OR coalesce(s.followed, CASE WHEN h.resolved IS NULL THEN h.followed END, 0) = 0
      ON CONFLICT(owner, subject) DO UPDATE SET followed = excluded.followed, form = excluded.form
      WHERE (w.followed, w.form) IS DISTINCT FROM (excluded.followed, excluded.form)
      """, owner, Database.array(named.subjectTexts), isLimited ? 1 : 0)
  }

  /// Whether lines that name these may have led to more subscriptions than are polled, or back.
  private func isNearLimit(_ subjects: Set<String>) throws(DatabaseError) -> Bool {
    guard let maximum = maxSubscriptions else { return false }
    let named = subjects.count { !$0.hasPrefix("v:") }
    if named == 0 { return false }
    let followed = try database.integer(
      """
      SELECT (SELECT count(*) FROM subscription WHERE owner = ?1 AND followed = 1)
        + (SELECT count(*) FROM handle WHERE owner = ?1 AND followed = 1 AND resolved IS NULL)
      """, owner)
    return Int(followed ?? 0) + named > maximum
  }

  /// Records who follows what for all that the owner follows, as if it were only what was followed first: the same as in
  /// `State.limited`.
  private func wantFirst() throws(DatabaseError) {
    try database.run(
      """
      WITH followed(subject, at, form) AS (
        SELECT c.id, s.followed_at, s.feed FROM subscription s JOIN channel c ON c.n = s.channel
        WHERE s.owner = ?1 AND s.followed = 1
        UNION ALL
        SELECT handle, followed_at, NULL FROM handle WHERE owner = ?1 AND followed = 1 AND resolved IS NULL),
      ranked AS (
        SELECT indexed(subject) AS subject, form, row_number() OVER (ORDER BY at, subject) <= ?2 AS is_first
        FROM followed)
      INSERT INTO wanted AS w(owner, subject, followed, form)
      SELECT DISTINCT ON (subject) ?1, subject, is_first AND subject NOT LIKE 'f%', form
      FROM ranked ORDER BY subject, is_first DESC
      ON CONFLICT(owner, subject) DO UPDATE SET followed = excluded.followed, form = excluded.form
      WHERE (w.followed, w.form) IS DISTINCT FROM (excluded.followed, excluded.form)
      """, owner, Int64(maxSubscriptions ?? .max))
  }

  /// Forgets what the log does not name any more, because other lines replaced some; all lines were read.
  func forgetUnnamed() throws(DatabaseError) {
    try database.run(
      """
      DELETE FROM wanted w WHERE w.owner = ?1 AND w.subject NOT LIKE 'v:%'
        AND NOT EXISTS (
          SELECT FROM channel c JOIN subscription s ON s.owner = ?1 AND s.channel = c.n WHERE c.id = w.subject)
        AND NOT EXISTS (SELECT FROM handle h WHERE h.owner = ?1 AND indexed(h.handle) = w.subject)
      """, owner)
  }

  /// Indexes lines of the catalogue by their subjects.
  private func file(_ events: [LoggedEvent]) throws(DatabaseError) {
    var (subjects, numbers): ([String], [Int64]) = ([], [])
    var (videos, numbersOfVideos): ([String], [Int64]) = ([], [])
    for logged in events {
      for subject in logged.event.body.subjects {
        subjects.append(subject)
        numbers.append(logged.line.number)
      }
      if let video = logged.event.body.shownVideo {
        videos.append(CatalogueView.subject(video))
        numbersOfVideos.append(logged.line.number)
      }
    }
    if subjects.isEmpty { return }
    try database.run(
      "SELECT file_lines(?::text[], ?::bigint[], ?::text[], ?::bigint[])", Database.array(subjects),
      Database.array(numbers), Database.array(videos), Database.array(numbersOfVideos))
  }

  // MARK: From the beginning

  /// A model in memory of all lines that are covered, each looked at.
  func replay(_ reach: Reach) throws -> ReadModel {
    let own = events(of: try log.lines(after: 0, upTo: reach.own, maximum: .max))
    var seen: [LoggedEvent] = []
    if owner != 0 {
      let catalogue = events(of: try log.linesOfCatalogue(1...max(1, reach.catalogue)))
      var view = CatalogueView()
      for logged in own { view.note(logged.event.body) }
      // A video may be seen only because of a later line.
      for _ in 0..<2 { for logged in catalogue { _ = view.take(logged.event) } }
      seen = catalogue.compactMap { logged in
        view.visible(logged.event).map { LoggedEvent(event: $0, line: logged.line) }
      }
    }
    let replay = try ReadModel(user: Int64(owner))
    replay.foldedText = model.foldedText
    _ = try replay.update(from: nil, to: [1], (own + seen).map(\.pending))
    return replay
  }
}

extension CatalogueView {
  /// What is named, as `wanted` of the migrations has it.
  var subjectTexts: Set<String> {
    Set(subscriptions.map(\.description)).union(handles).union(videos.map(CatalogueView.subject))
  }

  static func subject(_ video: VideoID) -> String { "v:\(video)" }
}

extension EventBody {
  /// What a line of the catalogue is about, as `catalogue_subject` of the migrations has it.
  fileprivate var subjects: [String] {
    func subjects(_ video: VideoID, _ sources: String?...) -> [String] {
      [CatalogueView.subject(video)] + sources.compactMap(\.self)
    }
    return switch self {
    case .videoFound(let found):
      subjects(found.video, "\(found.channel)", found.playlist.map(\.description))
    case .videoChanged(let change): subjects(change.video, change.playlist.map(\.description))
    case .entryFound(let found): subjects(found.entry, "\(found.feed)")
    case .entryChanged(let change): subjects(change.entry)
    case .entriesKnown(let known): ["\(known.feed)"]
    case .feedChanged(let change): ["\(change.feed)"]
    case .feedMerged(let merged): ["\(merged.feed)", "\(merged.into)"]
    case .videoEnriched(let enriched): subjects(enriched.video)
    case .videoRemoved(let removed): subjects(removed.video)
    case .videoDescribed(let described): subjects(described.video)
    case .channelChanged(let change): ["\(change.subscription)"]
    case .channelEnriched(let enriched): ["\(enriched.channel)"]
    case .handleResolved(let resolved): [resolved.handle]
    case .gapFound(let gap): ["\(gap.subscription)"]
    case .gapClosed(let closed): ["\(closed.subscription)"]
    case .runFinished: [""]
    // What a person decides belongs to their own log, not to the catalogue.
    default: []
    }
  }

  /// The video that it says something of; an owner who sees the video sees the line.
  fileprivate var shownVideo: VideoID? {
    switch self {
    case .videoFound, .videoChanged, .videoEnriched, .videoRemoved, .videoDescribed, .entryFound, .entryChanged: video
    default: nil
    }
  }

  /// The description that feeds gave a video.
  fileprivate var description: Description? {
    switch self {
    case .videoFound(let found): found.description
    case .videoChanged(let change): change.description
    case .entryFound(let found): found.facts.description
    case .entryChanged(let change): change.facts.description
    default: nil
    }
  }
}
