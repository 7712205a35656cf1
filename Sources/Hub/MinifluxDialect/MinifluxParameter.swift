import Core
import HubCore
import HubReaders

/// A parameter of a query of entries: `published_after=1700000000`.
struct MinifluxParameter {
  let name: String
  let value: String

  init(_ parameter: (name: String, value: String)) {
    (name, value) = parameter
  }

  /// Adds what the parameter says by itself; unknown parameters say nothing.
  func apply(to query: inout EntryQuery) throws {
    switch name {
    case "offset":
      query.offset = try count()
      guard query.offset <= HubService.latest else { throw invalid }
    case "order": query.order = try order()
    case "direction":
      guard ["asc", "desc"].contains(value) else {
        throw HubProblem(400, "Invalid direction, valid values are: asc or desc")
      }
      query.oldestFirst = value == "asc"
    case "before", "published_before": query.published.until = try time(adding: 0)
    case "after", "published_after": query.published.since = try time(adding: 1)
    case "changed_before": query.changed.until = try time(adding: 0)
    case "changed_after": query.changed.since = try time(adding: 1)
    case "before_entry_id": query.number.below = try number()
    case "after_entry_id": query.number.above = try number()
    case "starred": query.saved = ["true", "1", "True"].contains(value)
    case "search": query.search = value.isEmpty ? nil : value
    default: break
    }
  }

  func statuses() throws -> Set<Status> {
    switch value {
    case "unread": EntryQuery.unread
    case "read": EntryQuery.read
    default: throw HubProblem(400, "Invalid entry status, valid status values are: read, unread")
    }
  }

  func number() throws -> Int {
    guard let number = Int(value) else { throw invalid }
    return number
  }

  /// A number that is not negative.
  func count() throws -> Int {
    let number = try number()
    guard number >= 0 else { throw invalid }
    return number
  }

  private func time(adding seconds: Int) throws -> Timestamp {
    let number = try number()
    guard (0...HubService.latest).contains(number) else { throw invalid }
    return Timestamp(seconds: Int64(number + seconds))
  }

  private func order() throws -> EntryQuery.Order {
    guard let order = MinifluxParameter.orders[value] else {
      throw HubProblem(400, "Invalid entry order; those of metube-hub are: published_at, created_at, changed_at, id")
    }
    return order
  }

  private var invalid: HubProblem { HubProblem(400, "Invalid value for \(name)") }

  /// The values of `order`. The orders by title, author, status and category are by time published.
  private static let orders: [String: EntryQuery.Order] = [
    "": .published, "published_at": .published, "created_at": .found, "changed_at": .changed, "id": .number,
    "title": .published, "author": .published, "status": .published, "category_id": .published,
    "category_title": .published,
  ]
}
