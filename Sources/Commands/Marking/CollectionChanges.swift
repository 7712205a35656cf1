import ArgumentParser
import Core
import ReadModel

/// `collection create`: creates a collection without videos.
struct CollectionCreateCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create a collection, which exists without videos too.",
    discussion: """
      Examples:
        metube-rss collection create Trains
        metube-rss collection create Trains 'Only steam'
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var collection: CollectionArgument
  @Argument(text: "A description.", value: "text") var text: String?

  func run(in session: Session, to output: inout Output) throws {
    let collection = try NamedCollection(ownName: collection.name, in: session)
    guard !collection.exists else {
      throw Failure(.partial, "there is a collection “\(collection.words)” already")
    }
    try session.commit { collection.creation(text: text) }
    output.write("created: \(collection.words)\n")
  }
}

/// `collection describe`: sets the description of a collection.
struct CollectionDescribeCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe", abstract: "Describe a collection, or show its description.",
    discussion: """
      Examples:
        metube-rss collection describe 'To cook' 'For the weekend'
        metube-rss collection describe 'To cook'
        metube-rss collection describe 'To cook' ''    removes it
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var collection: CollectionArgument
  @Argument(text: "The description. Empty removes it; omitted shows it.", value: "text") var text: String?

  func run(in session: Session, to output: inout Output) throws {
    let collection = try collection.resolveOwn(in: session)
    let was = try session.query { try $0.collectionDescriptions() }[collection.name] ?? ""
    guard let text = text.map({ String($0.withoutBlanks) }) else {
      if was.isEmpty { StandardError.report("no description") }
      return output.write(was.isEmpty ? "" : DisplayText(was).text + "\n")
    }
    try session.commit { try collection.changes(name: nil, text: text, in: session) }
    output.write(
      "\(text == was ? "no change" : text.isEmpty ? "description removed" : "described"): \(collection.words)\n")
  }
}

/// `collection rename`: gives a collection another name.
struct CollectionRenameCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a collection.",
    discussion: """
      Examples:
        metube-rss collection rename 'To cook' Recipes
        metube-rss collection rename trains Trains     another spelling
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var collection: CollectionArgument
  @Argument(text: "The new name.", value: "new-name") var newName: String

  func run(in session: Session, to output: inout Output) throws {
    let collection = try collection.resolveOwn(in: session)
    let (known, name) = try collection.renamed(newName, in: session)
    guard known == nil else {
      throw Failure(
        .partial,
        "there is a collection “\(known?.words ?? "")” already; add the videos to it with collection add")
    }
    let events = try session.commit { try collection.changes(name: name, text: nil, in: session) }
    let words = "\(collection.words) is now \(DisplayText(name).text)"
    output.write(events.isEmpty ? "no change: \(collection.words)\n" : "renamed: \(words)\n")
  }
}

/// `collection delete`: removes a collection with all its videos from it.
struct CollectionDeleteCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a collection; its videos stay known, and undo restores it.",
    discussion: """
      Examples:
        metube-rss collection delete 'To cook'
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var collection: CollectionArgument

  func run(in session: Session, to output: inout Output) throws {
    let collection = try collection.resolveOwn(in: session)
    let count = try collection.members(in: session).count
    try session.commit { try collection.deletion(in: session) }
    output.write("deleted: \(collection.words) (\(UserMessages.count(count, "video")))\n")
  }
}

extension CollectionArgument {
  /// The named collection, which is not that of the saved videos; throws if it does not exist.
  fileprivate func resolveOwn(in session: Session) throws -> NamedCollection {
    _ = try NamedCollection(ownName: name, in: session)
    return try resolve(in: session)
  }
}

/// Changes of a collection itself, in the terminal, on the page and in the API.
extension NamedCollection {
  /// Throws with exit status 64 for the saved videos too.
  init(ownName typed: String, in session: Session) throws {
    self = try NamedCollection(typed, in: session)
    guard !isSaved else { throw Failure(.usage, "“\(CollectionArgument.saved)” is the list of saved videos") }
  }

  /// Another name for it, without blanks around it, and the other collection that has this name; nil if none has.
  func renamed(_ typed: String, in session: Session) throws -> (other: NamedCollection?, name: String) {
    let known = try NamedCollection(ownName: typed, in: session)
    let isOther = known.exists && known.name != name
    return (isOther ? known : nil, try ValidatedName(typed, of: "collection").text)
  }

  /// The event that creates it; empty if it exists.
  func creation(text: String?) -> [EventBody] {
    let text = text.map { String($0.withoutBlanks) }.flatMap { $0.isEmpty ? nil : $0 }
    return exists ? [] : [.collectionChanged(CollectionChanged(collection: name, kept: true, text: text))]
  }

  /// The events that change its name or its description; nil leaves one as it is.
  func changes(name newName: String?, text: String?, in session: Session) throws -> [EventBody] {
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
  func deletion(in session: Session) throws -> [EventBody] {
    let isKnown = try session.state.collections[name] != nil
    return try members(in: session).map {
      .collectionSet(CollectionSet(video: $0, collection: name, member: false))
    } + (isKnown ? [.collectionChanged(CollectionChanged(collection: name, kept: false, text: ""))] : [])
  }
}
