import ArgumentParser
import Core

/// A collection on the command line.
struct CollectionArgument: ParsableArguments {
  /// What was saved is a collection by nature.
  static let saved = "saved"

  @Argument(
    help: ArgumentHelp("The collection's name.", valueName: "name"), completion: Completion.collections,
    transform: ArgumentShield.unguarded)
  var name: String

  /// The collection meant, which need not be there yet.
  func resolve(in state: State) throws -> NamedCollection { try NamedCollection(name, in: state) }

  /// The collection meant; throws where it has no video.
  func resolveThere(in state: State) throws -> NamedCollection {
    let collection = try resolve(in: state)
    guard collection.isSaved || !collection.members(in: state).isEmpty else {
      throw Failure(.inPart, "\(collection.words): no such collection; see metube-rss collection list")
    }
    return collection
  }
}

/// A collection by a name that a person gave, in the spelling that it has already: `trains` is `Trains`.
struct NamedCollection {
  let name: String
  /// Whether it is what was put aside with save.
  let isSaved: Bool

  /// Throws with 64 where the name can be none.
  init(_ typed: String, in state: State) throws {
    let known = state.collections
    // One that is there under a name that could not be given now is named as it is.
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

  /// The name as a terminal may show it.
  var words: String { DisplayText(name).text }

  /// Its videos in the order in which they came into it.
  func members(in state: State) -> [VideoID] { isSaved ? state.saved : state.collections[name] ?? [] }

  /// What puts a video in or takes it out; nil where it is so already.
  func mark(_ video: Video, member: Bool) -> EventBody? {
    if isSaved { return video.isSaved == member ? nil : .savedSet(SavedSet(video: video.id, saved: member)) }
    return video.collections.contains(name) == member
      ? nil : .collectionSet(CollectionSet(video: video.id, collection: name, member: member))
  }
}
