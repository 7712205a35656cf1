import App
import ArgumentParser
import Arguments
import Core
import Messages
import Platform

/// `watched`: marks videos watched.
struct WatchedCommand: MarkingCommand {
  static let configuration = CommandConfiguration(
    commandName: "watched", abstract: "Mark videos watched.",
    discussion: """
      Examples:
        metube-rss watched 3 4             the numbers of the last list
        metube-rss watched 1-3,7           several at once
        metube-rss watched dQw4w9WgXcQ
        metube-rss list --format ids | metube-rss watched -
        metube-rss watched --all --older-than 30d
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var options: MarkOptions

  func action(in session: Session) -> MarkAction { MarkAction(status: .watched, word: "watched") }
}

/// `skip`: marks videos as not interesting.
struct SkipCommand: MarkingCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip", abstract: "Mark videos as not interesting, without marking them watched.",
    discussion: """
      Examples:
        metube-rss skip 7
        metube-rss skip https://youtu.be/dQw4w9WgXcQ
        metube-rss skip --all --shorts only
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var options: MarkOptions

  func action(in session: Session) -> MarkAction { MarkAction(status: .skipped, word: "skipped") }
}

/// `snooze`: hides videos until a time.
struct SnoozeCommand: MarkingCommand {
  static let configuration = CommandConfiguration(
    commandName: "snooze", abstract: "Hide videos until a given time; then they are new again.",
    discussion: """
      Examples:
        metube-rss snooze 3d 7 8
        metube-rss snooze 2026-12-24 dQw4w9WgXcQ
        metube-rss snooze 1w --all --tag music
      """)
  @OptionGroup var common: CommonOptions
  @Argument(text: "For how long, or until when: 3d, tomorrow, 2026-12-24T18:30.", value: "time") var time: String
  @OptionGroup var options: MarkOptions

  func action(in session: Session) throws -> MarkAction {
    if let span = options.videos.last, TimeArgument.span(span) != nil, TimeArgument.span(time) == nil {
      let videos = [time] + options.videos.dropLast()
      throw Failure(
        .usage, "snooze: the time comes first: metube-rss snooze \(span) \(videos.joined(separator: " "))")
    }
    if (try? VideoID(naming: time)) != nil {  // Otherwise it is a time, as expected.
      throw Failure(.usage, "snooze: the time comes first: metube-rss snooze 3d \(time)")
    }
    let until = try TimeArgument(time, after: session.now, .snooze).time
    return MarkAction(
      word: "snoozed until \(until.local)", chosen: [.new], members: nil, mark: Mark(status: .snoozed, until: until))
  }
}

/// `unwatched`: marks videos new again.
struct UnwatchedCommand: MarkingCommand {
  static let configuration = CommandConfiguration(
    commandName: "unwatched", abstract: "Mark videos new again, whatever their status.",
    discussion: """
      Examples:
        metube-rss unwatched dQw4w9WgXcQ
        metube-rss unwatched --all --status snoozed
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var options: MarkOptions

  func action(in session: Session) -> MarkAction { MarkAction(status: .new, word: "new again") }
}

/// `save`: saves videos for later.
struct SaveCommand: MarkingCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save videos for later, whatever their status.",
    discussion: """
      By ID or URL also videos that no feed has shown, of any channel.

      Examples:
        metube-rss save 4
        metube-rss save https://youtu.be/dQw4w9WgXcQ
        metube-rss list --saved
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var options: MarkOptions

  func action(in session: Session) -> MarkAction { MarkAction(saved: true, word: "saved") }
}

/// `unsave`: removes videos from saved.
struct UnsaveCommand: MarkingCommand {
  static let configuration = CommandConfiguration(
    commandName: "unsave", abstract: "Remove videos from saved.",
    discussion: """
      Examples:
        metube-rss unsave 4
        metube-rss unsave --all --status watched
        metube-rss unsave --all            all of them, including Shorts
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var options: MarkOptions

  func action(in session: Session) -> MarkAction { MarkAction(saved: false, word: "no longer saved") }
}
