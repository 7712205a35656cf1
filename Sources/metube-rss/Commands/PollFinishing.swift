import Core
import YouTubeAPI

/// What a poll does once it has told what came of it. Whatever fails here is told, and changes neither what was found
/// nor the poll's status.
struct PollFinishing {
  private let session: Session
  /// The folder of `--home`, where one was given.
  private let folder: String?
  /// When the Data API is asked no more, on the steady clock.
  private let deadline: Int?
  private let hook: NewVideoHook?

  /// To be made when the poll begins; `deadline` is on the steady clock.
  init(_ session: Session, folder: String?, deadline: Int?) {
    self.session = session
    self.folder = folder
    self.deadline = deadline
    hook = NewVideoHook(session)
  }

  /// Asks the Data API for channels whose feeds fail, if a key is set. Before the poll tells what came of it.
  func fallBack(_ memory: PollMemory, _ file: MemoryFile) {
    guard memory.pause?.reason == .outage else { return }
    Messages.tellFailure {
      guard let settings = try APISettings(session.settings) else {
        throw Failure(.usage, "--api-fallback needs a key of YouTube's Data API: METUBE_RSS_API_KEY")
      }
      var memory = memory
      var fallback = OutageFallback(session, try APISession(settings, session, deadline: deadline))
      let outcome = try fallback.run(&memory)
      try file.write(memory)
      if outcome.asked > 0 {
        Messages.tell("the Data API was asked in place of \(Words.count(outcome.asked, "feed")): \(outcome.new) new")
      }
      if let failure = outcome.failure { throw failure }
    }
  }

  /// Enriches what was found, if a key is set, refreshes the exports, and runs the person's program on what is new.
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
