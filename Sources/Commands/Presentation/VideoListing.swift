import Core
import Glibc
import ReadModel
import Terminal

/// The table of `list`, under a heading with counts and the last poll.
struct VideoListing {
  private let session: Session
  private let terminal: Terminal

  init(_ session: Session, _ color: ColorChoice) {
    self.session = session
    terminal = Terminal(color)
  }

  /// Writes heading and table, on a terminal with row numbers, which are stored. `isNarrowed` means that options select
  /// less than everything new; `words` are these options, which the next page repeats.
  func write(
    _ rows: [VideoRow], _ selection: VideoSelection, isNarrowed: Bool, _ words: [String], to output: inout Output
  ) throws {
    write(rows, heading: try heading(rows, selection), to: &output)
    if rows.isEmpty { return output.write(isNarrowed ? "Nothing matches.\n" : try nothing) }
    let isKept = Output.isTerminal && LastPage(session.home).remember(words, after: selection.next, now: session.now)
    guard let next = selection.next else { return }
    output.write(isKept ? "more: metube-rss list --next\n" : "more: add --after \(next)\n")
  }

  /// Writes `heading` and the table, on a terminal with row numbers, which are stored.
  func write(_ rows: [VideoRow], heading: String, to output: inout Output) {
    // Numbers that were not stored would refer to another table. An empty table has none, so those of the previous
    // one stay valid.
    let isNumbered =
      Output.isTerminal && !rows.isEmpty && LastListing(session.home).remember(rows.map(\.video), now: session.now)
    for line in DisplayText(heading).lines(within: terminal.width) { output.write("\(line)\n") }
    output.write(TextTable.videos(rows, numbered: isNumbered, at: session.local), for: terminal)
  }

  private func heading(_ rows: [VideoRow], _ selection: VideoSelection) throws -> String {
    var parts = ["\(rows.count) of \(UserMessages.count(selection.matching, "video"))"]
    parts += UserMessages.hidden(selection.hidden)
    let polls = try session.query { try $0.polls() }
    if let run = polls.lastRun {
      parts.append("last poll \(run.id.timestamp.short(at: session.local))")
      if let reason = run.value.stopped { parts.append(UserMessages.stoppedShort(reason)) }
      let unchecked = run.value.failed + run.value.unrequested
      if unchecked > 0 { parts.append("\(UserMessages.count(unchecked, "feed")) not checked") }
    }
    let gaps = polls.openGaps.count
    if gaps > 0 { parts.append("\(UserMessages.count(gaps, "gap")): see metube-rss status") }
    return parts.joined(separator: ", ")
  }

  private var nothing: String {
    get throws {
      if try session.state.followsNothing { return UserMessages.followsNothing }
      guard let run = try session.state.lastRun else { return "Nothing polled yet: run metube-rss poll.\n" }
      return UserMessages.nothingNew(run.value, at: run.id.timestamp, now: session.local)
    }
  }
}

extension State {
  /// Whether there are no subscriptions: no channel, playlist or handle.
  var followsNothing: Bool { !followsAny && unresolved.isEmpty }
}

/// The table of `channels`.
struct ChannelListing {
  private let session: Session
  private let terminal: Terminal

  init(_ session: Session, _ color: ColorChoice) {
    self.session = session
    terminal = Terminal(color)
  }

  func write(_ rows: [ChannelRow], to output: inout Output) throws {
    if try session.state.followsNothing { return output.write(UserMessages.followsNothing) }
    if rows.isEmpty, try session.state.followsAny { return output.write("Nothing matches.\n") }
    output.write(TextTable.channels(rows, at: session.local), for: terminal)
  }
}
