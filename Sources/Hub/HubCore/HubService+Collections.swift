import App
import Core
import HubStore
import ReadModel

extension HubProblem {
  fileprivate static func taken(by collection: NamedCollection) -> HubProblem {
    HubProblem(409, "there is a collection “\(collection.shownName)” already")
  }
}

extension HubService {
  /// The collection of the path.
  package func existingCollection(_ call: HubCall) throws -> NamedCollection {
    let collection = try NamedCollection(call.part("collection"), in: session)
    guard collection.isSaved || collection.exists else {
      throw HubProblem(404, "there is no collection “\(collection.shownName)”")
    }
    return collection
  }

  /// The collection of the path, which is not that of the saved videos.
  package func ownCollection(_ call: HubCall) throws -> NamedCollection {
    let collection = try existingCollection(call)
    return try NamedCollection(ownName: collection.name, in: session)
  }

  /// Creates a collection. Throws a `HubProblem` if there is one of this name.
  package func create(_ name: String, text: String?) throws -> NamedCollection {
    let collection = try NamedCollection(ownName: name, in: session)
    guard !collection.exists else { throw HubProblem.taken(by: collection) }
    try session.commit { collection.creation(text: text) }
    return collection
  }

  /// Renames or describes a collection, which keeps its number; nil leaves one as it is. Throws a `HubProblem` if another one has the name.
  package func change(_ collection: NamedCollection, name typed: String?, text: String?) throws -> [Event] {
    let name = try typed.map { typed in
      let (other, name) = try collection.renamed(typed, in: session)
      if let other { throw HubProblem.taken(by: other) }
      return name
    }
    let events = try session.commit { try collection.changes(name: name, text: text, in: session) }
    // Programs that know it by its number find it under the new name.
    if let name { try numbers.move(.collection, from: collection.name, to: name) }
    return events
  }
}
