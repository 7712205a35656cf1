import App
import ArgumentParser
import Arguments
import Core
import Messages
import Platform
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
      throw Failure(.partial, "there is a collection “\(collection.shownName)” already")
    }
    try session.commit { collection.creation(text: text) }
    output.write("created: \(collection.shownName)\n")
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
      "\(text == was ? "no change" : text.isEmpty ? "description removed" : "described"): \(collection.shownName)\n")
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
        "there is a collection “\(known?.shownName ?? "")” already; add the videos to it with collection add")
    }
    let events = try session.commit { try collection.changes(name: name, text: nil, in: session) }
    let text = "\(collection.shownName) is now \(DisplayText(name).text)"
    output.write(events.isEmpty ? "no change: \(collection.shownName)\n" : "renamed: \(text)\n")
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
    output.write("deleted: \(collection.shownName) (\(UserMessages.count(count, "video")))\n")
  }
}

extension CollectionArgument {
  /// The named collection, which is not that of the saved videos; throws if it does not exist.
  fileprivate func resolveOwn(in session: Session) throws -> NamedCollection {
    _ = try NamedCollection(ownName: name, in: session)
    return try resolve(in: session)
  }
}
