import App
import ArgumentParser
import Arguments
import Core
import Messages
import Platform

/// The single video that a command works on.
struct VideoArgument: ParsableArguments {
  @Argument(text: "Video by ID, URL or number in the last table.", value: "video", completion: Completion.videos)
  var video: String

  /// The video; with `alsoUnseen` any that an ID or URL names. Throws status 1, after reporting why, if it is unknown.
  func resolve(in session: Session, alsoUnseen: Bool = false) throws -> Video {
    let named = try VideoArguments([video], in: session, alsoUnseen: alsoUnseen)
    guard let id = named.videos.first else {
      if named.hasUnknown { throw ExitStatus.partial }
      throw Failure(.partial, "-: standard input has no video ID")
    }
    return try session.video(id) ?? Video(id: id)
  }
}

/// `note`: the user's note on a video.
struct NoteCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "note", abstract: "Write a note on a video, or show it.",
    discussion: """
      Examples:
        metube-rss note 4 'the part on gears'
        metube-rss note 4
        metube-rss note 4 ''               removes it
        metube-rss note 4 -- '- ask Ann'   a text that begins with -
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var argument: VideoArgument
  @Argument(text: "The note. Empty removes it; omitted shows it.", value: "text") var text: String?

  func run(in session: Session, to output: inout Output) throws {
    let video = try argument.resolve(in: session, alsoUnseen: text != nil)
    if let text {
      let events = try session.mark([video.id], Mark(note: text))
      let what = events.isEmpty ? "no change" : text.isEmpty ? "note removed" : "noted"
      output.write(try session.reply(what, on: video.id) + "\n")
    } else if !video.note.isEmpty {
      output.write(DisplayText(video.note).text + "\n")
    } else {
      StandardError.report("no note on this video")
    }
  }
}

/// `progress`: how far a video was watched.
struct ProgressCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "progress", abstract: "Record how far you have watched a video, or show it.",
    discussion: """
      Examples:
        metube-rss progress 4 12:34
        metube-rss progress 4
        metube-rss progress 4 0            clears it
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var argument: VideoArgument
  @Argument(text: "Position: 12:34, 1:02:03, 90s, 12m. Omitted shows it.", value: "position") var position: String?

  func run(in session: Session, to output: inout Output) throws {
    let seconds = try position.map { try DurationArgument($0, .position).seconds }
    let video = try argument.resolve(in: session, alsoUnseen: seconds != nil)
    if let seconds {
      output.write(try remember(seconds, of: video, session) + "\n")
    } else if video.progress > 0 {
      output.write(PlayingTime.text(seconds: video.progress) + "\n")
    } else {
      StandardError.report("no position recorded for this video")
    }
  }

  /// Records a position and returns the reply.
  private func remember(_ seconds: Int, of video: Video, _ session: Session) throws -> String {
    let events = try session.mark([video.id], Mark(progress: seconds))
    let what = events.isEmpty ? "no change" : seconds == 0 ? "progress cleared" : PlayingTime.text(seconds: seconds)
    return try session.reply(what, on: video.id)
  }
}
