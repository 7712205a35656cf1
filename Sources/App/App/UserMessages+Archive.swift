import EventLog
import Importers
import Messages
import Platform

/// Why an archive of everything was not written or imported.
extension UserMessages {
  static func failure(_ error: ArchiveError) -> Failure {
    switch error {
    case .tooLarge:
      Failure(
        .refused, "a zip file, and each log in it, has at most 4 GB; metube-rss log compact makes logs shorter")
    case .unwritable(let folder, let isFull):
      Failure(.disk, "\(folder): cannot write a database there", isFull ? .full : nil)
    case .refused(let path, let refusal):
      Failure(.invalidInput, "\(path): \(text(of: refusal)); nothing was imported")
    case .changed(let path):
      Failure(
        .temporaryFailure, "\(path): the file changed while it was read, or is being imported already; try again")
    }
  }

  private static func text(of refusal: ArchiveRefusal) -> String {
    switch refusal {
    case .noLog: "an archive of metube-rss without any log"
    case .options: "an archive of metube-rss is imported as it is; omit tags, seen-before and only-new"
    case .malformed(let flaw): archive(flaw)
    case .line(let refusal, let log): "\(HomeArchive.entry(ofLog: log)): \(self.refusal(refusal, of: ""))"
    case .longLog(let log, let limit): "\(HomeArchive.entry(ofLog: log)): a log may have at most \(limit >> 20) MiB"
    case .manyLogs(let number, let limit): "it has \(count(number, "log")) or more, but at most \(limit) may be kept"
    case .bytes(let bytes, let limit):
      "its logs are \(bytes >> 20) MiB or more, but at most \(limit >> 20) MiB may be kept"
    }
  }
}
