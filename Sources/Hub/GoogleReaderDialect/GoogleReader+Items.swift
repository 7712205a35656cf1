import App
import Core
import HubCore
import HubReaders
import JSON
import ReadModel

extension HubService {
  // MARK: Streams

  /// The query of a stream with the parameters `n`, `c`, `r`, `ot`, `nt`, `xt` and `it`; nil if nothing can match. Throws a
  /// `HubProblem` if one of them is a list that the hub does not have.
  private func readerQuery(_ stream: ReaderStream, _ call: HubCall, maximum: Int) throws -> EntryQuery? {
    var query = EntryQuery(limit: min(try call.number("n", within: 0...(.max)) ?? 20, maximum))
    query.order = .found
    var isEmpty = try !apply(stream, to: &query)
    for text in call.values("it") where !text.isEmpty {
      if try !apply(ReaderStream(text), to: &query) { isEmpty = true }
    }
    for text in call.values("xt") where !text.isEmpty {
      switch ReaderStream(text) {
      case .read: query.statuses.formIntersection(EntryQuery.unread)
      case .unread: query.statuses.formIntersection(EntryQuery.read)
      case .saved: query.saved = false
      default: throw HubProblem(400, "xt: metube-hub leaves out what is read, unread or starred, and no other list")
      }
    }
    query.oldestFirst = call.value("r") == "o"
    let times = 0...HubService.latest
    query.found.since = try call.number("ot", within: times).map { Timestamp(seconds: Int64($0)) }
    query.found.until = try call.number("nt", within: times).map { Timestamp(seconds: Int64($0) + 1) }
    if let text = call.value("c") {
      guard let video = VideoID(text),
        try session.query({ try $0.isFound(video) }) || query.saved == true && session.video(video) != nil
      else {
        throw HubProblem(400, "c: not a continuation")
      }
      query.after = video
    }
    return isEmpty || query.limit == 0 || query.statuses.isEmpty ? nil : query
  }

  /// Narrows a query to a stream; returns false if the stream is empty. Throws a `HubProblem` if the hub does not have it.
  private func apply(_ stream: ReaderStream, to query: inout EntryQuery) throws -> Bool {
    switch stream {
    case .all: break
    case .unread: query.statuses.formIntersection(EntryQuery.unread)
    case .read: query.statuses.formIntersection(EntryQuery.read)
    // Whether a feed has shown them or not: there a person looks for them.
    case .saved: (query.saved, query.alsoUnseen) = (true, true)
    case .feed(let text): query.subscriptions = Set([try readerFeed(text).subscription].compactMap { $0 })
    case .label(let name):
      let tags = try TagNames(session.state).spelt(name)
      query.tags = Set(tags)
      return !tags.isEmpty
    case .other: throw HubProblem(400, "metube-hub does not have this list")
    }
    return true
  }

  /// The followed feed of a stream `feed/…`: its number, or what `follow` takes.
  func readerFeed(_ text: String) throws -> ReaderFeed {
    if let number = Int(text) { return try readerFeed(number) }
    guard let feed = try readerFeed(reference(text)) else { throw HubProblem(404, "no such feed") }
    return feed
  }

  /// The stream of the path or of `s`.
  private func wantedStream(_ call: HubCall) -> ReaderStream {
    ReaderStream(call.parts["stream"] ?? call.value("s") ?? ReaderStream.readingList)
  }

  /// The videos of a stream, and where the next page begins; nil on the last one.
  private func readerPage(_ call: HubCall, maximum: Int) throws -> (videos: [VideoID], next: VideoID?) {
    guard let query = try readerQuery(wantedStream(call), call, maximum: maximum) else { return ([], nil) }
    let (videos, total) = try select(query)
    // With a continuation the total is of the whole stream; the last page may be followed by an empty one.
    let isLast = videos.count < query.limit || query.after == nil && total <= videos.count
    return (videos, isLast ? nil : videos.last)
  }

  // MARK: Responses

  func readerItemIDs(_ call: HubCall) throws -> RouteResponse {
    let (videos, next) = try readerPage(call, maximum: HubService.maxReaderMarks)
    let references = try numbers(of: videos).map { ["id": .string(String($0))] as JSONValue }
    return json(JSONValue.object(continued([.init(name: "itemRefs", value: .array(references))], next)).bytes)
  }

  func readerStream(_ call: HubCall) throws -> RouteResponse {
    let (videos, next) = try readerPage(call, maximum: HubService.maxEntries)
    let id = call.parts["stream"] ?? call.value("s") ?? ReaderStream.readingList
    return json(JSONValue.object(continued(try readerItems(id, entries(videos, alsoUnseen: true)), next)).bytes)
  }

  func readerItems(_ call: HubCall) throws -> RouteResponse {
    let videos = try wantedItems(call, maximum: HubService.maxEntries)
    return json(JSONValue.object(try readerItems(ReaderStream.readingList, entries(videos, alsoUnseen: true))).bytes)
  }

  private func continued(_ members: [JSONValue.Member], _ next: VideoID?) -> [JSONValue.Member] {
    members + (next.map { [JSONValue.Member(name: "continuation", value: .string($0.description))] } ?? [])
  }

  /// The videos of the fields `i`; what is unknown is left out.
  private func wantedItems(_ call: HubCall, maximum: Int) throws -> [VideoID] {
    let texts = call.values("i")
    guard (1...maximum).contains(texts.count) else { throw HubProblem(400, "i: takes 1 to \(maximum) items") }
    let numbers = try texts.map { text in
      guard let number = ReaderItemID.number(text) else { throw HubProblem(400, "i: not the ID of an item") }
      return number
    }
    return try videos(numbers)
  }

  private func readerItems(_ id: String, _ entries: [ReaderEntry]) throws -> [JSONValue.Member] {
    [
      .init(name: "id", value: .string(id)), .init(name: "updated", value: .integer(Int(session.now.seconds))),
      .init(name: "items", value: .array(try entries.map(readerItem))),
    ]
  }

  private func readerItem(_ entry: ReaderEntry) throws -> JSONValue {
    let row = entry.row
    let found = String(entry.discovered.seconds)
    let item: JSONValue = [
      "id": .string(ReaderItemID.text(entry.number)), "crawlTimeMsec": .string(found + "000"),
      "timestampUsec": .string(found + "000000"), "published": .integer(Int(entry.published.seconds)),
      "updated": .integer(Int(row.visiblyChanged?.seconds ?? entry.published.seconds)),
      "title": .string(row.shownTitle), "canonical": [["href": .string(row.url)]],
      "alternate": [["href": .string(row.url), "type": "text/html"]],
      "categories": .array(HubService.readerStates(of: entry).map { .string($0) }),
      "origin": [
        "streamId": .string(ReaderStream.feed(try number(of: entry.feed.id))), "title": .string(entry.feed.title),
        "htmlUrl": .string(entry.feed.url),
      ],
      "summary": ["direction": "ltr", "content": .string(entry.html)], "author": .string(row.channelTitle),
    ]
    guard case .object(let members) = item, let files = row.entry?.files, !files.isEmpty else { return item }
    return .object(members + [.init(name: "enclosure", value: .array(files.map(HubService.readerEnclosure)))])
  }

  /// A file of an entry: `{"href":"…","type":"audio/mpeg","length":1234}`, without what its feed does not say.
  private static func readerEnclosure(_ file: EntryMedia) -> JSONValue {
    var members = [JSONValue.Member(name: "href", value: .string(file.url))]
    if !file.type.isEmpty { members.append(.init(name: "type", value: .string(file.type))) }
    if let length = file.length { members.append(.init(name: "length", value: .integer(length))) }
    return .object(members)
  }

  /// The streams that an item is in besides its feed.
  static func readerStates(of entry: ReaderEntry) -> [String] {
    [ReaderStream.readingList, entry.isRead ? ReaderStream.readState : ReaderStream.freshState]
      + (entry.row.saved ? [ReaderStream.starredState] : []) + entry.row.tags.map(ReaderStream.label)
  }

  func readerAtom(_ call: HubCall) throws -> RouteResponse {
    let (videos, _) = try readerPage(call, maximum: HubService.maxEntries)
    let stream = wantedStream(call)
    var title = call.parts["stream"] ?? ""
    if case .feed(let text) = stream { title = try readerFeed(text).title }
    let bytes = ReaderAtom.document(
      id: call.parts["stream"] ?? "", title: title, try entries(videos, alsoUnseen: true), updated: session.now)
    return RouteResponse(200, "application/atom+xml; charset=utf-8", bytes)
  }

  // MARK: Marks

  /// Adds and removes states of items: `i`, `a` and `r`.
  func readerMark(_ call: HubCall) throws -> RouteResponse {
    var (isRead, isSaved): (Bool?, Bool?)
    for (name, isAdded) in [("r", false), ("a", true)] {
      for text in call.values(name) where !text.isEmpty && !ReaderStream.isStatistic(text) {
        switch ReaderStream(text) {
        case .read: isRead = isAdded
        // Removing “kept unread” does not mean read.
        case .unread: if isAdded { isRead = false }
        case .saved: isSaved = isAdded
        // Labels are of channels here, and NetNewsWire takes every label for a folder.
        case .label: throw HubProblem(400, "articles have no labels here, only feeds have; nothing was changed")
        case .all where isAdded: break
        default: throw HubProblem(400, "\(name): metube-hub does not have this state; nothing was changed")
        }
      }
    }
    let videos = try wantedItems(call, maximum: HubService.maxReaderMarks)
    if isRead != nil || isSaved != nil { try mark(videos, read: isRead, saved: isSaved) }
    return .text("OK")
  }

  /// Marks the items of a stream as read, if found before `ts`, in microseconds.
  func readerMarkAll(_ call: HubCall) throws -> RouteResponse {
    guard call.value("s") != nil else { throw HubProblem(400, "s: missing") }
    var query = EntryQuery(limit: .max)
    query.order = .found
    guard try apply(wantedStream(call), to: &query) else { return .text("OK") }
    // Zero is now.
    let microseconds = try call.number("ts", within: 0...(.max)).flatMap { $0 == 0 ? nil : $0 }
    // Some send milliseconds or seconds.
    let seconds = microseconds.map { $0 > 1 << 46 ? $0 / 1_000_000 : $0 > 1 << 36 ? $0 / 1000 : $0 }
    query.found.until = seconds.map { Timestamp(seconds: Int64($0) + 1) }
    try markAllRead(query)
    return .text("OK")
  }
}
