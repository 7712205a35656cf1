import App
import ArgumentParser
import Arguments
import Core
import Platform

/// `play`: opens videos in the player.
struct PlayCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play videos; mark each watched once played far enough.",
    discussion: """
      The player is METUBE_RSS_PLAYER, with {url} and {start} filled in; else mpv,
      resuming where you left off; else the browser. mpv (0.33 or later) reports how
      playback ended and at what position, also as METUBE_RSS_PLAYER: a video left
      at the preference watched-at or later is watched (default: 90%). mpv plays at
      the preference speed, of the channel or of all. Any other
      program counts as having played the video if it ran for two seconds or more
      and exited with 0. A browser marks nothing, nor does a program that exits at
      once, because it only passed the URL on.

      Of an entry of another site's feed the player gets the first file, the browser
      its page; without a file both get the page.

      Several videos are played one after another, until one is not finished;
      undo takes back what all of them led to. A video by ID or URL need not be in
      any feed. --next plays the first video of the last list that is still new.

      Examples:
        metube-rss play 3
        metube-rss play 3-5 8
        metube-rss play --next
        METUBE_RSS_PLAYER='vlc --play-and-exit {url}' metube-rss play 3
      """)
  @OptionGroup var common: CommonOptions
  @Flag(help: "The first video of the last list that is still new.") var next = false
  @Argument(
    text: "Videos by ID, URL or number in the last table (3, 1-3,7).", value: "video", completion: Completion.videos)
  var videos: [String] = []

  func validate() throws {
    if next != videos.isEmpty {
      throw ValidationError(next ? "give videos or --next, not both" : "give videos, or --next")
    }
  }

  func run(in session: Session, to output: inout Output) throws {
    // One undo takes back what all videos of the command led to.
    var action: EventID?
    if next {
      guard let video = try NumberedTable(session).firstNew(in: session) else {
        throw Failure(.partial, "--next: nothing in the last list is still new; run metube-rss list again")
      }
      return _ = try play(video, session, &action, to: &output)
    }
    let named = try VideoArguments(videos, in: session, alsoUnseen: true)
    for id in named.videos {
      guard try play(session.video(id) ?? Video(id: id), session, &action, to: &output) else { break }
    }
    if named.hasUnknown { throw ExitStatus.partial }
  }

  /// The player of a video, with what the person prefers.
  private func player(for video: Video, _ session: Session) throws -> Player {
    let environment = Environment.variables()
    guard !video.url.isEmpty else {
      throw Failure(.partial, "\(video.id) has neither a file nor a page that can be opened")
    }
    return try Player(
      for: video.url, file: video.entry?.playable, from: video.progress, setting: session.settings["PLAYER"],
      path: environment["PATH"] ?? "", home: environment["HOME"], cache: session.home.cache,
      speed: session.preferences.speed(of: video.source))
  }

  /// Plays a video; returns whether another may follow. `action` is that of the videos before; nil until one is marked.
  private func play(
    _ video: Video, _ session: Session, _ action: inout EventID?, to output: inout Output
  ) throws -> Bool {
    // The result for the previous video.
    try output.finish()
    func mark(_ mark: Mark) throws {
      let events = try session.mark([video.id], mark, action: action)
      action = action ?? events.first?.action
    }
    let player = try player(for: video, session)
    let title = video.knownTitle.isEmpty ? "\(video.id)" : "\(DisplayText(video.knownTitle).text)  \(video.id)"
    if player.isFallback { StandardError.report("mpv is not installed; opening the browser. \(Player.advice)") }
    StandardError.write("playing: \(title)\n")
    switch try player.play() {
    case .failed(let status):
      let failure = "\(player.arguments[0]) failed\(status.map { " (\($0))" } ?? ""); nothing was marked"
      throw Failure(.partial, failure + (player.isFallback ? ". \(Player.advice)" : ""))
    case .left(let seconds, let length):
      guard let seconds else {
        output.write("not finished: \(title); metube-rss watched \(video.id) marks it\n")
        return false
      }
      guard try session.preferences.isWatched(at: seconds, of: length ?? video.duration.map(Double.init)) else {
        // A player may know of a longer video than its feed.
        try mark(Mark(progress: video.duration.map { min($0, seconds) } ?? seconds))
        output.write("left at \(PlayingTime.text(seconds: seconds)): \(title)\n")
        return false
      }
      try mark(Mark(status: .watched, progress: 0))
      output.write("watched: \(title)\n")
    case .ended:
      // The next play begins at the start.
      try mark(Mark(status: .watched, progress: 0))
      output.write("watched: \(title)\n")
    case .opened: output.write("opened: \(title); metube-rss watched \(video.id) marks it\n")
    }
    return true
  }
}
