import App
import ArgumentParser
import Arguments
import Core
import EventLog
import Glibc
import Library
import Messages
import Platform
import Sync
import Terminal

/// The full-screen view at work: reads keys and the log, runs commands, and draws.
struct Browser {
  /// How typed commands are read; the table of all commands, which has `browse` itself, knows.
  struct Parser {
    let parse: ([String]) throws -> any ParsableCommand
    /// The message for an error of `parse`.
    let message: (any Error) -> String
  }

  private let parser: Parser
  private var session: Session
  private let home: String?
  private var state: BrowseState
  private var query: BrowseQuery
  private var screen: BrowseScreen
  private let signals: TerminalSignals
  private var poll: BrowsePoll?
  /// When the list was last read, in milliseconds of the steady clock.
  private var lastRead = Clock.steady()
  /// The bytes of the log that cannot be read, as those of a line that is being written.
  private var leftBytes: UInt64 = 0

  /// Reads the list, then takes over the terminal. Throws if an option is wrong or the terminal cannot be used.
  init(_ session: Session, home: String?, filters: BrowseFilters, _ parser: Parser) throws {
    (self.session, self.home, self.parser) = (session, home, parser)
    query = try BrowseQuery(filters, session)
    state = BrowseState(size: BrowseState.Size(rows: 24, columns: 80), filters: filters)
    let first = try query.select(session, atLeast: 0)
    state.restart(ids: first.ids, total: first.matching)
    (state.heading, state.emptyText) = (first.heading, first.emptyText)
    // ncurses catches only signals that have no other handler.
    signals = TerminalSignals()
    screen = try BrowseScreen()
  }

  /// Shows the view until the user leaves it; returns the signal that ended it, if one did.
  mutating func run() throws -> Int32? {
    StandardError.keep()
    defer {
      screen.close()
      StandardError.release()
      if poll != nil { StandardError.report("stopping the poll; what it found is kept") }
      poll?.finish()
    }
    state.resize(to: screen.size)
    for finding in session.settings.findings { StandardError.report(finding) }
    session.report(session.files.journal.findings)
    BackgroundSync.start(session, home: home)
    while true {
      takeMessages()
      fill()
      screen.show(state.picture(at: session.local))
      let isHungUp = wait()
      for signal in signals.arrived() {
        switch signal {
        case SIGTSTP: stop()
        // The shell may have used the terminal meanwhile.
        case SIGCONT:
          screen.resume()
          state.resize(to: screen.size)
        case SIGWINCH:
          screen.adoptSize()
          state.resize(to: screen.size)
        default: return signal
        }
      }
      if isHungUp { return SIGHUP }
      while let key = screen.nextKey() {
        // A key refers to what the screen shows, so each is handled before the next.
        if let action = state.press(key), try isToQuit(after: action) { return nil }
        fill()
      }
      hearPoll()
      refreshIfDue()
    }
  }

  // MARK: Waiting

  /// Waits for a key, a signal, news of the poll, or the next look at the log. Returns whether the terminal is gone.
  private func wait() -> Bool {
    var sources = [STDIN_FILENO, signals.descriptor, poll?.descriptor ?? -1].map { descriptor in
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }
    let count = Glibc.poll(&sources, nfds_t(sources.count), Browser.pause)
    return count > 0 && Int32(sources[0].revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
  }

  /// The milliseconds between two looks at the log.
  private static let pause: Int32 = 1000

  /// Stops as Ctrl-Z does, and goes on with the screen as it is then.
  private mutating func stop() {
    outside { _ in _ = raise(SIGTSTP) }
  }

  /// Gives the terminal to something else for a while.
  private mutating func outside<Result>(_ body: (inout Browser) throws -> Result) rethrows -> Result {
    screen.close()
    StandardError.release()
    defer {
      StandardError.keep()
      screen.resume()
      state.resize(to: screen.size)
    }
    return try TerminalSignals.whileStopping { try body(&self) }
  }

  /// Shows what commands reported.
  private mutating func takeMessages() {
    for line in StandardError.takeKept().split(separator: "\n") {
      state.note(line.hasPrefix("metube-rss: ") ? String(line.dropFirst("metube-rss: ".count)) : String(line))
    }
  }

  // MARK: The list

  /// Reads what the screen needs: more of the list, and rows.
  private mutating func fill() {
    reporting { browser in
      while browser.state.ids.count < browser.state.wanted {
        let more = try browser.query.more(browser.session, than: browser.state.ids.count, for: browser.state.wanted)
        guard !more.isEmpty else { break }
        browser.state.extend(by: more)
      }
      let state = browser.state
      guard state.visible.contains(where: { state.rows[$0] == nil }) else { return }
      let missing = state.near.filter { state.rows[$0] == nil }
      browser.state.add(try browser.session.rows(missing, alsoUnseen: true))
    }
  }

  /// Reads the list anew, after marks and polls; the cursor stays at its video, or goes to `video`.
  private mutating func reload(keeping video: VideoID? = nil) throws {
    try session.refresh()
    lastRead = Clock.steady()
    var list = try query.select(session, atLeast: state.wanted)
    let grown = list.matching - state.total
    // What is new may stand before the chosen video.
    if grown > 0, let chosen = video ?? state.chosen, !list.ids.contains(chosen) {
      list.ids += try query.more(session, than: list.ids.count, for: list.ids.count + grown)
    }
    state.replace(ids: list.ids, total: list.matching, keeping: video)
    (state.heading, state.emptyText) = (list.heading, list.emptyText)
  }

  /// Looks whether another process appended to the log; reads the list twice a minute in any case, as time goes by.
  private mutating func refreshIfDue() {
    reporting { browser in
      let isOld = Clock.steady() - browser.lastRead >= Browser.longest
      let unread = try browser.unreadBytes()
      guard isOld || unread > 0 && unread != browser.leftBytes else { return }
      try browser.reload()
      if isOld { BackgroundSync.start(browser.session, home: browser.home) }
      browser.leftBytes = try browser.unreadBytes() == unread ? unread : 0
    }
  }

  private func unreadBytes() throws -> UInt64 { try Session.reporting { try session.files.journal.unreadBytes() } }

  /// The maximum time between two readings of the list, milliseconds.
  private static let longest = 30_000

  /// Shows the list of changed filters; goes back to those before if they cannot be used.
  private mutating func select() {
    let before = query
    let isSelected = reporting { browser in
      browser.query = try BrowseQuery(browser.state.filters, browser.session)
      let list = try browser.query.select(browser.session, atLeast: 0)
      browser.state.restart(ids: list.ids, total: list.matching)
      (browser.state.heading, browser.state.emptyText) = (list.heading, list.emptyText)
    }
    if !isSelected { (query, state.filters) = (before, before.filters) }
  }

  // MARK: Actions

  /// Does `body` and shows what went wrong, if anything; whether all went well.
  @discardableResult
  private mutating func reporting(_ body: (inout Browser) throws -> Void) -> Bool {
    do {
      try body(&self)
      return true
    } catch let error as AppError {
      state.note(UserMessages.text(of: error))
    } catch let failure as Failure {
      state.note(failure.message)
    } catch is ExitStatus {
      // What happened was reported.
    } catch {
      // Of the command's parser; its first line says what is wrong.
      let message = parser.message(error).split(separator: "\n").first
      state.note(message.map(String.init) ?? "\(error)")
    }
    return false
  }

  private mutating func isToQuit(after action: BrowseAction) throws -> Bool {
    switch action {
    case .quit: return true
    case .redraw: screen.redraw()
    case .select: select()
    case .mark(let arguments): reporting { try $0.mark(arguments) }
    case .undo(let isConfirmed): reporting { try $0.undo(isConfirmed: isConfirmed) }
    case .play(let id): reporting { try $0.play(id) }
    case .openPage(let id): reporting { try $0.openPage(of: id) }
    case .describe(let id): reporting { try $0.describe(id) }
    case .offer(let field): reporting { try $0.offer(field) }
    case .poll:
      reporting {
        $0.poll = try BrowsePoll(home: $0.home)
        $0.state.progress = "starting"
      }
    case .stopPoll: poll?.stop()
    }
    return false
  }

  /// Runs a command of the program and shows its first line.
  private mutating func run(_ arguments: [String]) throws {
    try session.refresh()
    // Typed text may be an option such as --help.
    guard let command = try parser.parse(DashIDArguments.guardIDs(in: arguments)) as? any SessionCommand else {
      throw Failure(.usage, "not understood: \(arguments.joined(separator: " "))")
    }
    let bytes = try Output.bytes { try command.run(in: session, to: &$0) }
    BackgroundSync.start(session, home: home)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    if let first = lines.first { state.note(String(first)) }
  }

  private mutating func mark(_ arguments: [String]) throws {
    try run(arguments)
    try reload()
  }

  private mutating func undo(isConfirmed: Bool) throws {
    try session.refresh()
    var video: VideoID?
    if let action = try UndoPlan.lastAction(session) {
      let plan = try UndoPlan(action, session)
      if !isConfirmed, UndoPlan.isLarge(plan.bodies) {
        return state.panel = .question(try UndoCommand.prompt(plan, session), .undo(isConfirmed: true))
      }
      video = plan.done.count == 1 ? plan.done.first?.body.video : nil
    }
    try run(["undo", "--yes"])
    try reload(keeping: video)
  }

  private mutating func play(_ id: VideoID) throws {
    try outside { try $0.run(["play", id.description]) }
    try reload()
  }

  /// Opens a video's page as `play` does without a player; marks nothing.
  private mutating func openPage(of id: VideoID) throws {
    guard let video = try session.video(id), !video.url.isEmpty else { return }
    let environment = Environment.variables()
    let browser = try Player(
      for: video.url, file: nil, from: 0, setting: "xdg-open {url}", path: environment["PATH"] ?? "",
      home: environment["HOME"], cache: session.home.cache, speed: "1")
    switch try outside({ _ in try browser.play() }) {
    case .failed: throw Failure(.partial, "xdg-open failed; the page is \(video.url)")
    case .opened, .ended, .left: state.note("opened: \(video.url)")
    }
  }

  private mutating func describe(_ id: VideoID) throws {
    guard let video = try session.video(id) else { return }
    let report = try VideoReport(video, in: session)
    let text = report.text(report.facts + report.decisions + report.history, width: state.size.columns)
    let description = try session.text(of: video.description).split(separator: "\n", omittingEmptySubsequences: false)
    let title = DisplayText(video.title)
    var lines = [video.url] + text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines = title.width > state.size.columns ? [title.text] + lines : lines
    state.panel = .text(
      BrowseText(title: title.cut(to: state.size.columns).apart, lines: lines + description.map(String.init)))
  }

  private mutating func offer(_ field: BrowseFilters.Field) throws {
    let followed = try session.state.followed
    let names: [BrowseFilters.Channel]
    if field == .tag {
      names = Set(followed.flatMap(\.tags)).sorted().map {
        BrowseFilters.Channel(word: $0, title: DisplayText($0).text)
      }
    } else {
      names = followed.map { (sort: $0.title.lowercased(), channel: $0) }.sorted { $0.sort < $1.sort }
        .map { BrowseFilters.Channel(word: "\($0.channel.id)", title: DisplayText($0.channel.title).text) }
    }
    state.panel = .choices(BrowseChoices(field: field, all: names))
  }

  // MARK: The poll

  /// Shows how far the poll is, and what it reports when it ends.
  private mutating func hearPoll() {
    guard let poll else { return }
    let end = poll.ended()
    let news = poll.news()
    for message in news.messages { state.note(message) }
    if let progress = news.progress { state.progress = progress }
    guard let end else { return }
    self.poll = nil
    state.progress = nil
    // The result last, where it is seen.
    for line in end.dropFirst().reversed() { state.note(line) }
    guard let first = end.first else { return }
    state.note(end.count > 1 ? "\(first) (! shows \(UserMessages.count(end.count - 1, "more line")))" : first)
  }
}
