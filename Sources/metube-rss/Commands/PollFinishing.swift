/// What a poll does once it has told what came of it. Whatever fails here is told, and changes neither what was found
/// nor the poll's status.
struct PollFinishing {
  private let session: Session
  /// The folder of `--home`, where one was given.
  private let folder: String?

  init(_ session: Session, folder: String?) {
    self.session = session
    self.folder = folder
  }

  /// Refreshes the exports.
  func run() {
    NamedExports(session, folder: folder).refresh()
  }
}
