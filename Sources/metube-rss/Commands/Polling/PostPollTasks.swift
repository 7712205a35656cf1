import Core
import YouTube

/// The tasks after a poll's report. A failure here is reported, but affects neither the videos found nor the poll's
/// status.
struct PollFinishing {
  private let session: Session
  /// The folder of `--home`; nil if absent.
  private let folder: String?
  /// When to stop sending Data API requests, in milliseconds of the steady clock; nil if unlimited.
  private let deadline: Int?
  private let hook: NewVideoHook?

  /// Create this when the poll begins. `deadline` is in milliseconds of the steady clock.
  init(_ session: Session, folder: String?, deadline: Int?) {
    self.session = session
    self.folder = folder
    self.deadline = deadline
    hook = NewVideoHook(session)
  }

  /// During an outage, queries the Data API for channels whose feeds fail. Runs before the poll reports.
  func fallBack(_ memory: PollMemory, _ file: MemoryFile) {
    guard memory.pause?.reason == .outage else { return }
    Messages.tellFailure {
      guard let settings = try APISettings(session.settings) else {
        throw Failure(.usage, "--api-fallback needs a YouTube Data API key: set METUBE_RSS_API_KEY")
      }
      var memory = memory
      var fallback = OutageFallback(session, try APISession(settings, session, deadline: deadline))
      let outcome = try fallback.run(&memory)
      try file.write(memory)
      if outcome.asked > 0 {
        Messages.tell("used the Data API in place of \(Words.count(outcome.asked, "feed")): \(outcome.new) new")
      }
      if let failure = outcome.failure { throw failure }
    }
  }

  /// Enriches new videos if an API key is set, refreshes the exports and runs the user's hook on the new videos.
  func run() {
    Messages.tellFailure {
      guard let settings = try APISettings(session.settings) else { return }
      var enrichment = Enrichment(session, try APISession(settings, session, deadline: deadline))
      try enrichment.run()
      if let failure = enrichment.report.failure { throw failure }
    }
    NamedExports(session, folder: folder).refresh()
    Messages.tellFailure { try hook?.run(session) }
  }
}
