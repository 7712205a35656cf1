import ArgumentParser
import Core

/// `collection`: named lists of videos.
struct CollectionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collection", abstract: "Keep videos in named lists.",
    discussion: """
      A collection is there while a video is in it. What was put aside with save is
      the collection “saved”. Neither case nor accents tell two names apart.

      Examples:
        metube-rss collection add 'To cook' 3 4
        metube-rss collection list
        metube-rss collection show 'To cook'
      """,
    subcommands: [
      CollectionAddCommand.self, CollectionRemoveCommand.self, CollectionListCommand.self, CollectionShowCommand.self,
    ])
}

/// `collection add`: puts videos into a collection.
struct CollectionAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Put videos into a collection, which is made by it.",
    discussion: """
      Examples:
        metube-rss collection add 'To cook' 3 4
        metube-rss list --tag pie --format ids | metube-rss collection add Pies -
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var collection: CollectionArgument
  @OptionGroup var options: MarkOptions

  func run() throws {
    let session = try Session(common)
    let collection = try collection.resolve(in: session.state)
    let marking = Marking(word: "put into \(collection.words)", chosen: [.new], of: nil) { video, _ in
      collection.mark(video, member: true)
    }
    try marking.run(options, session)
  }
}

/// `collection remove`: takes videos out of a collection.
struct CollectionRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take videos out of a collection.",
    discussion: """
      Examples:
        metube-rss collection remove 'To cook' 3
        metube-rss collection remove 'To cook' --all --status watched
        metube-rss collection remove 'To cook' --all
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var collection: CollectionArgument
  @OptionGroup var options: MarkOptions

  func run() throws {
    let session = try Session(common)
    let collection = try collection.resolveThere(in: session.state)
    let word = "taken out of \(collection.words)"
    let marking = Marking(word: word, chosen: nil, of: collection.members) { video, _ in
      collection.mark(video, member: false)
    }
    try marking.run(options, session)
  }
}

/// `collection list`: the collections there are.
struct CollectionListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the collections, and how many videos each has.",
    discussion: """
      Examples:
        metube-rss collection list
        metube-rss collection list --format ids
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var formatting: FormatOptions

  func validate() throws {
    if formatting.format == .urls { throw ValidationError("collections have no addresses; collection show has") }
  }

  func run() throws {
    let session = try Session(common)
    let rows = CollectionRow.rows(in: session.state)
    var output = Output()
    switch formatting.format {
    case .table where rows.isEmpty: output.write("No collections: see metube-rss collection add --help.\n")
    case .table: output.write(TextTable.collections(rows), for: Terminal(formatting.color))
    default: RowFormat.write(rows, as: formatting.format, to: &output)
    }
    try output.finish()
  }
}

/// `collection show`: the videos in a collection.
struct CollectionShowCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the videos in a collection, in the order in which they came into it.",
    discussion: """
      Whatever their status; Shorts and what rules hide too, for they were put there.

      Examples:
        metube-rss collection show 'To cook'
        metube-rss collection show saved --format urls
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @OptionGroup var formatting: FormatOptions
  @OptionGroup var collection: CollectionArgument

  func run() throws {
    let session = try Session(common)
    let members = try collection.resolveThere(in: session.state).members(in: session.state)
    let rows = members.compactMap { session.state.videos[$0] }
      .compactMap { VideoRow($0, in: session.state, at: session.now) }
    var output = Output()
    if formatting.format == .table {
      let unknown = members.count - rows.count
      let beside = unknown > 0 ? ", \(unknown) never found in a feed" : ""
      let listing = VideoListing(session, formatting.color)
      listing.write(rows, heading: "\(Words.count(rows.count, "video"))\(beside)", to: &output)
    } else {
      RowFormat.write(rows, as: formatting.format, to: &output)
    }
    try output.finish()
  }
}
