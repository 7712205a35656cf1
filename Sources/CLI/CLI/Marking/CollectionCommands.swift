import App
import ArgumentParser
import Arguments
import Core
import Exporters
import Messages
import Platform
import ReadModel
import Terminal

/// `collection`: named lists of videos.
struct CollectionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collection", abstract: "Keep videos in named lists.",
    discussion: """
      A collection exists as long as it contains a video, or until it is deleted if
      it was created or described. The videos marked with save are the collection
      “saved”. Names ignore case and accents.

      Examples:
        metube-rss collection add 'To cook' 3 4
        metube-rss collection create Trains 'Only steam'
        metube-rss collection list
        metube-rss collection show 'To cook'
      """,
    subcommands: [
      CollectionAddCommand.self, CollectionRemoveCommand.self, CollectionListCommand.self, CollectionShowCommand.self,
      CollectionCreateCommand.self, CollectionDescribeCommand.self, CollectionRenameCommand.self,
      CollectionDeleteCommand.self,
    ])
}

/// `collection add`: adds videos to a collection.
struct CollectionAddCommand: MarkingCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add videos to a collection, creating it if needed.",
    discussion: """
      Examples:
        metube-rss collection add 'To cook' 3 4
        metube-rss list --tag pie --format ids | metube-rss collection add Pies -
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var collection: CollectionArgument
  @OptionGroup var options: MarkOptions

  func action(in session: Session) throws -> MarkAction {
    let collection = try NamedCollection(collection.name, in: session)
    return MarkAction(
      word: "added to \(collection.shownName)", chosen: [.new], members: nil,
      mark: Mark(memberships: [Mark.Membership(collection: collection, isMember: true)]))
  }
}

/// `collection remove`: removes videos from a collection.
struct CollectionRemoveCommand: MarkingCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove videos from a collection.",
    discussion: """
      Examples:
        metube-rss collection remove 'To cook' 3
        metube-rss collection remove 'To cook' --all --status watched
        metube-rss collection remove 'To cook' --all
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var collection: CollectionArgument
  @OptionGroup var options: MarkOptions

  func action(in session: Session) throws -> MarkAction {
    let collection = try collection.resolve(in: session)
    let word = "removed from \(collection.shownName)"
    return MarkAction(
      word: word, chosen: nil, members: collection.members,
      mark: Mark(memberships: [Mark.Membership(collection: collection, isMember: false)]))
  }
}

/// `collection list`: lists the collections.
struct CollectionListCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the collections and how many videos each has.",
    discussion: """
      Examples:
        metube-rss collection list
        metube-rss collection list --format ids
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var formatting: FormatOptions

  func validate() throws {
    if formatting.format == .urls { throw ValidationError("collections have no URLs; use collection show") }
  }

  func run(in session: Session, to output: inout Output) throws {
    let rows = try CollectionRow.rows(in: session)
    switch formatting.format {
    case .table where rows.isEmpty: output.write("No collections yet; see metube-rss collection add --help.\n")
    case .table: output.write(TextTable.collections(rows), for: Terminal(formatting.color))
    default: RowFormat.write(rows, as: formatting.format, to: &output)
    }
  }
}

/// `collection show`: lists the videos in a collection.
struct CollectionShowCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the videos in a collection, in the order they were added.",
    discussion: """
      Shows every video that you added, whatever its status, including Shorts and
      videos hidden by rules.

      Examples:
        metube-rss collection show 'To cook'
        metube-rss collection show saved --format urls
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @OptionGroup var formatting: FormatOptions
  @OptionGroup var collection: CollectionArgument

  func run(in session: Session, to output: inout Output) throws {
    let members = try collection.resolve(in: session).members(in: session)
    let rows = try session.rows(members, alsoUnseen: true)
    if formatting.format == .table {
      let unknown = rows.count { !$0.isSeen }
      let beside = unknown > 0 ? ", \(unknown) in no feed yet" : ""
      let heading = "\(UserMessages.count(rows.count, "video"))\(beside)"
      output.write(rows, heading: heading, of: session, formatting.color)
    } else {
      RowFormat.write(session.withViews(rows), as: formatting.format, to: &output)
    }
  }
}

/// The collection argument of a command.
struct CollectionArgument: ParsableArguments {
  @Argument(text: "The collection's name.", value: "name", completion: Completion.collections) var name: String

  /// The named collection; throws if it does not exist.
  func resolve(in session: Session) throws -> NamedCollection {
    let collection = try NamedCollection(name, in: session)
    guard collection.isSaved || collection.exists else {
      throw Failure(.partial, "there is no collection “\(collection.shownName)”; see metube-rss collection list")
    }
    return collection
  }
}

extension TextTable {
  /// The table of `collection list`.
  static func collections(_ rows: [CollectionRow]) -> TextTable {
    var table = TextTable(columns: [
      Column("videos", alignment: .right, minimum: 1, maximum: nil),
      Column("collection", minimum: 16, maximum: nil, isFlexible: true),
      Column("description", minimum: 16, maximum: 60, leftOut: 1),
    ])
    for row in rows { table.add([Cell(String(row.count)), Cell(row.name, tint: .green), Cell(row.description)]) }
    return table
  }
}
