import ArgumentParser
import Core

/// `play`: opens a video in the player.
struct PlayCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play a video; mark it watched when played to the end.",
    discussion: """
      The player is METUBE_RSS_PLAYER, with {url} and {start} filled in; else mpv,
      resuming where you left off; else the browser. mpv (0.33 or later) reports how
      playback ended and at what position, also as METUBE_RSS_PLAYER. Any other
      program counts as having played the video if it ran for two seconds or more
      and exited with 0. A browser marks nothing, nor does a program that exits at
      once, because it only passed the URL on.

      Examples:
        metube-rss play 3
        METUBE_RSS_PLAYER='vlc --play-and-exit {url}' metube-rss play 3
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var argument: VideoArgument

  func run(in session: Session, to output: inout Output) throws {
    let video = try argument.resolve(in: session)
    let environment = Environment.variables()
    let player = try Player(
      for: video.url, from: video.progress, setting: session.settings["PLAYER"],
      path: environment["PATH"] ?? "", home: environment["HOME"], cache: session.home.cache)
    let title = "\(DisplayText(video.title).text)  \(video.id)"
    StandardError.write("playing: \(title)\n")
    switch try player.play() {
    case .failed(let status):
      throw Failure(.partial, "\(player.arguments[0]) failed\(status.map { " (\($0))" } ?? ""); nothing was marked")
    case .left(nil): output.write("not finished: \(title); metube-rss watched \(video.id) marks it\n")
    case .left(let seconds?):
      try session.commit {
        try session.video(video.id)?.progress == seconds
          ? [] : [.progressSet(ProgressSet(video: video.id, seconds: seconds))]
      }
      output.write("left at \(PlayingTime.text(seconds: seconds)): \(title)\n")
    case .ended:
      try session.commit { watched(try session.video(video.id) ?? video) }
      output.write("watched: \(title)\n")
    case .opened: output.write("opened: \(title); metube-rss watched \(video.id) marks it\n")
    }
  }

  /// The events for a video watched to the end: status watched, progress cleared.
  private func watched(_ video: Video) -> [EventBody] {
    var bodies: [EventBody] = []
    if video.statusSet.status != .watched {
      bodies.append(.statusSet(StatusSet(video: video.id, status: .watched)))
    }
    if video.progress > 0 { bodies.append(.progressSet(ProgressSet(video: video.id, seconds: 0))) }
    return bodies
  }
}
