import ArgumentParser
import Core

/// `play`: opens a video in the player.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play a video; mark it watched when the player ends well.",
    discussion: """
      The player is METUBE_RSS_PLAYER, with {url} and {start} where they go; else
      mpv, from where you left it; else the browser. mpv (0.33 or later) tells how
      it ended and where it was left, named by you or not. Another program has
      played the video if it ran for two seconds or more and ended well. A browser
      marks nothing, nor does what ends at once, for that only handed the address on.

      Examples:
        metube-rss play 3
        METUBE_RSS_PLAYER='vlc --play-and-exit {url}' metube-rss play 3
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var argument: VideoArgument

  func run() throws {
    let session = try Session(common)
    let video = try argument.resolve(in: session)
    let environment = Environment.variables()
    let player = try Player(
      for: video.url, from: video.progress, setting: session.settings["PLAYER"],
      path: environment["PATH"] ?? "", home: environment["HOME"], cache: session.home.cache)
    let title = "\(DisplayText(video.title).text)  \(video.id)"
    Messages.write("playing: \(title)\n")
    let outcome = try player.play()
    var output = Output()
    switch outcome {
    case .failed(let status):
      throw Failure(.inPart, "\(player.arguments[0]) failed\(status.map { " (\($0))" } ?? ""); nothing was marked")
    case .left(nil): output.write("not played to its end: \(title); metube-rss watched \(video.id) marks it\n")
    case .left(let seconds?):
      try session.commit { state in
        state.videos[video.id]?.progress == seconds
          ? [] : [.progressSet(ProgressSet(video: video.id, seconds: seconds))]
      }
      output.write("left at \(PlayingTime.text(seconds: seconds)): \(title)\n")
    case .ended:
      try session.commit { state in watched(state.videos[video.id] ?? video) }
      output.write("watched: \(title)\n")
    case .opened: output.write("opened: \(title); metube-rss watched \(video.id) marks it\n")
    }
    try output.finish()
  }

  /// What makes a video watched to its end.
  private func watched(_ video: Video) -> [EventBody] {
    var bodies: [EventBody] = []
    if video.statusSet.status != .watched {
      bodies.append(.statusSet(StatusSet(video: video.id, status: .watched)))
    }
    if video.progress > 0 { bodies.append(.progressSet(ProgressSet(video: video.id, seconds: 0))) }
    return bodies
  }
}
