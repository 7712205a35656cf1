import Core
import Exporters
import Messages
import ReadModel

/// A collection looked up by the name that the user gave, with its existing spelling: `trains` finds `Trains`.
package struct NamedCollection: Equatable {
  /// The name of the built-in collection of saved videos.
  package static let saved = "saved"
  package let name: String
  /// Whether it is the built-in collection of saved videos.
  package let isSaved: Bool
  /// Whether it has videos, or was created.
  package let exists: Bool

  /// Throws an `AppError` if the name is invalid.
  package init(_ typed: String, in session: Session) throws {
    let known = try session.query { try $0.collections() }
    // An existing collection keeps its exact name, even one that is no longer valid for a new collection.
    if known[typed] != nil, typed != NamedCollection.saved {
      (name, isSaved, exists) = (typed, false, true)
      return
    }
    let given = try ValidatedName(typed, of: .collection).text
    let folded = NormalizedName(given)
    isSaved = folded == NormalizedName(NamedCollection.saved)
    let spelling = known.keys.filter { NormalizedName($0) == folded }.min()
    name = isSaved ? NamedCollection.saved : spelling ?? given
    exists = spelling != nil
  }

  /// The name, safe to show on a terminal.
  package var shownName: String { DisplayText(name).text }

  /// Its videos in the order they were added.
  package func members(in session: Session) throws -> [VideoID] {
    try session.query { try isSaved ? $0.saved() : $0.members(of: name) }
  }

  /// The event that adds a video or removes it; nil if nothing would change.
  func mark(_ video: Video, member: Bool) -> EventBody? {
    if isSaved { return video.isSaved == member ? nil : .savedSet(SavedSet(video: video.id, saved: member)) }
    return video.collections.contains(name) == member
      ? nil : .collectionSet(CollectionSet(video: video.id, collection: name, member: member))
  }
}

/// A row of `collection list`.
package struct CollectionRow: MachineRow {
  package let name: String
  /// The number of videos in it.
  package let count: Int
  /// Empty if it has none.
  package let description: String

  /// The collections, by name; the saved videos count as one if there are any.
  package static func rows(in session: Session) throws -> [CollectionRow] {
    var counts = try session.query { try $0.collections() }
    let saved = try session.query { try $0.savedCount() }
    if saved > 0 { counts[NamedCollection.saved] = saved }
    let texts = try session.query { try $0.collectionDescriptions() }
    return counts.sorted { $0.key < $1.key }.map {
      CollectionRow(name: $0.key, count: $0.value, description: texts[$0.key] ?? "")
    }
  }

  package static let members: [(name: String, value: @Sendable (CollectionRow) -> ExportedValue)] = [
    ("collection", { .text($0.name) }), ("videos", { .number($0.count) }),
    ("description", { .text($0.description.isEmpty ? nil : $0.description) }),
  ]
  package var id: String { DisplayText(name).text }
  package var page: String? { nil }
}

/// Changes of a collection itself, in the terminal, on the page and in the API.
extension NamedCollection {
  /// Throws an `AppError` for the saved videos too.
  package init(ownName typed: String, in session: Session) throws {
    self = try NamedCollection(typed, in: session)
    guard !isSaved else { throw AppError.savedCollection }
  }

  /// Another name for it, without blanks around it, and the other collection that has this name; nil if none has.
  package func renamed(_ typed: String, in session: Session) throws -> (other: NamedCollection?, name: String) {
    let known = try NamedCollection(ownName: typed, in: session)
    let isOther = known.exists && known.name != name
    return (isOther ? known : nil, try ValidatedName(typed, of: .collection).text)
  }

  /// The event that creates it; empty if it exists.
  package func creation(text: String?) -> [EventBody] {
    let text = text.map { String($0.withoutBlanks) }.flatMap { $0.isEmpty ? nil : $0 }
    return exists ? [] : [.collectionChanged(CollectionChanged(collection: name, kept: true, text: text))]
  }

  /// The events that change its name or its description; nil leaves one as it is.
  package func changes(name newName: String?, text: String?, in session: Session) throws -> [EventBody] {
    let register = try session.state.collections[name]
    let (isKept, was) = (register?.kept?.value, register?.text?.value)
    let text = text.map { String($0.withoutBlanks) }.flatMap { $0 == was ?? "" ? nil : $0 }
    guard let newName, newName != name else {
      guard let text else { return [] }
      return [.collectionChanged(CollectionChanged(collection: name, kept: isKept == true ? nil : true, text: text))]
    }
    // The order of the videos stays.
    var events = try members(in: session).flatMap { video in
      [(name, false), (newName, true)].map {
        EventBody.collectionSet(CollectionSet(video: video, collection: $0, member: $1))
      }
    }
    if register != nil {
      events.append(.collectionChanged(CollectionChanged(collection: name, kept: false, text: "")))
    }
    if register != nil || text != nil {
      let kept = text == nil ? isKept : true
      events.append(.collectionChanged(CollectionChanged(collection: newName, kept: kept, text: text ?? was)))
    }
    return events
  }

  /// The events that delete it.
  package func deletion(in session: Session) throws -> [EventBody] {
    let isKnown = try session.state.collections[name] != nil
    return try members(in: session).map {
      .collectionSet(CollectionSet(video: $0, collection: name, member: false))
    } + (isKnown ? [.collectionChanged(CollectionChanged(collection: name, kept: false, text: ""))] : [])
  }
}
