import App
import ArgumentParser
import Arguments
import Core

/// `browse`: a full-screen view of the list.
struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse", abstract: "Go through the list on a full screen, with keys for every mark.",
    discussion: """
      Shows what list shows, in the same order, and stays up to date: marks and
      videos that other commands add meanwhile appear by themselves. Each key does
      what the command of the same name does, so undo works here and there. A poll
      runs beside the view; quitting ends it, and what it found is kept.

      Keys:
      \(BrowseHelp.lines(width: 80).reduce(into: "") { $0 += "  \($1)\n" })
      Needs ncurses and a terminal for input and output.

      Examples:
        metube-rss browse
        metube-rss browse --tag science --catch-up
        metube-rss browse --saved
        metube-rss browse --all --search bookshelf
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var filter: FilterOptions
  @OptionGroup var statuses: StatusOptions
  @Flag(help: "Include unfollowed channels, and every status unless one is given.") var all = false
  @Flag(help: "Oldest first.") var oldest = false
  @Flag(help: "Channel by channel, each oldest first; the channel waiting longest first.") var catchUp = false
  @Flag(help: "One video from each channel in turn, newest first.") var mix = false

  func validate() throws {
    if [oldest, catchUp, mix].count(where: \.self) > 1 {
      throw ValidationError("--oldest, --catch-up and --mix exclude each other")
    }
  }

  func run() throws {
    let session = try Session(common, reports: false)
    session.showTimes()
    // Before the terminal changes, so that a wrong option is reported as usual.
    let parser = Browser.Parser(
      parse: { try MetubeRSS.command(of: $0) }, message: { MetubeRSS.message(for: $0) })
    var browser = try Browser(session, home: common.home, filters: filters, parser)
    if let signal = try browser.run() { TerminalSignals.end(by: signal) }
  }

  private var filters: BrowseFilters {
    var filters = BrowseFilters()
    (filters.statuses, filters.all, filters.tags) = (statuses.given, all, filter.tag)
    filters.channels = filter.channel.map { BrowseFilters.Channel(word: $0, title: $0) }
    filters.search = filter.searches.joined(separator: " ")
    (filters.shorts, filters.upcoming, filters.live) = (filter.shorts, filter.upcoming, filter.live)
    (filters.saved, filters.started, filters.noRules) = (filter.saved, filter.started, filter.noRules)
    filters.order = oldest ? .oldest : catchUp ? .catchUp : mix ? .mix : .usual
    filters.others = BrowseFilters.Others(
      since: filter.since, until: filter.until, minDuration: filter.minDuration, maxDuration: filter.maxDuration)
    return filters
  }
}
