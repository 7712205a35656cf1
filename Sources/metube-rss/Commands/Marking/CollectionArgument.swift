import ArgumentParser
import Core

/// The collection argument of a command.
struct CollectionArgument: ParsableArguments {
  /// The name of the built-in collection of saved videos.
  static let saved = "saved"

  @Argument(
    help: ArgumentHelp("The collection's name.", valueName: "name"), completion: Completion.collections,
    transform: ArgumentShield.unguarded)
  var name: String

  /// The named collection, which need not exist yet.
  func resolve(in state: State) throws -> NamedCollection { try NamedCollection(name, in: state) }

  /// The named collection; throws if it has no videos.
  func resolveThere(in state: State) throws -> NamedCollection {
    let collection = try resolve(in: state)
    guard collection.isSaved || !collection.members(in: state).isEmpty else {
      throw Failure(.inPart, "there is no collection “\(collection.words)”; see metube-rss collection list")
    }
    return collection
  }
}

/// A collection looked up by the name that the user gave, with its existing spelling: `trains` finds `Trains`.
struct NamedCollection {
  let name: String
  /// Whether it is the built-in collection of saved videos.
  let isSaved: Bool

  /// Throws with exit status 64 if the name is invalid.
  init(_ typed: String, in state: State) throws {
    let known = state.collections
    // An existing collection keeps its exact name, even one that is no longer valid for a new collection.
    if known[typed] != nil, typed != CollectionArgument.saved {
      (name, isSaved) = (typed, false)
      return
    }
    let given = try GivenName(typed, of: "collection").text
    let folded = FoldedName(given)
    isSaved = folded == FoldedName(CollectionArgument.saved)
    let spelling = known.keys.filter { FoldedName($0) == folded }.min()
    name = isSaved ? CollectionArgument.saved : spelling ?? given
  }

  /// The name, safe to show on a terminal.
  var words: String { DisplayText(name).text }

  /// Its videos in the order they were added.
  func members(in state: State) -> [VideoID] { isSaved ? state.saved : state.collections[name] ?? [] }

  /// The event that adds a video or removes it; nil if nothing would change.
  func mark(_ video: Video, member: Bool) -> EventBody? {
    if isSaved { return video.isSaved == member ? nil : .savedSet(SavedSet(video: video.id, saved: member)) }
    return video.collections.contains(name) == member
      ? nil : .collectionSet(CollectionSet(video: video.id, collection: name, member: member))
  }
}
