import ArgumentParser
import Core
import Glibc
import Messages
import Platform
import Synchronization

/// How a program begins and ends, and speaks to the person who runs it.
package enum Program {
  /// Makes the process of a program ready: standard streams and signals. Ends it if that fails.
  package static func prepare(as name: String = "metube-rss") {
    StandardError.program.withLock { $0 = name }
    // Must come first: a file opened while a standard stream is closed would take that stream's descriptor.
    guard StandardStreams.fill() else {
      StandardError.report("a standard stream is closed, and /dev/null cannot be opened in its place")
      exit(ExitStatus.disk.rawValue)
    }
    // A closed pipe or an exceeded file-size limit is reported as a write error; it must not kill the program.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // If the parent ignores SIGCHLD, the exit status of the player or another child is lost.
    signal(SIGCHLD, SIG_DFL)
    guard !CommandLine.arguments.isEmpty else {
      // Swift reads the arguments from /proc; without them every command line would show the help.
      StandardError.report("cannot read the command line: /proc is not mounted")
      exit(ExitStatus.usage.rawValue)
    }
  }

  /// Reports a problem on standard error.
  package static func report(_ message: String) { StandardError.report(message) }

  /// Whether the user answers a question with yes. Throws without a terminal.
  package static func isConfirmed(_ question: String) throws -> Bool { try Confirmation.isConfirmed(question) }

  /// An error's message.
  package static func message(of error: any Error) -> String { StandardError.message(of: error) }

  /// Writes a text to the terminal.
  package static func prompt(_ text: String) { StandardError.write(text) }

  /// Where temporary files go.
  package static var temporaryFolder: String { ScratchFile.folder }

  /// Writes out what was printed.
  package static func flush() { fflush(nil) }

  /// Ends the process with the message and status of a failure, or with what the parser of a root command makes of an
  /// error: help on standard output, usage on standard error.
  package static func end<Root: ParsableCommand>(with error: any Error, of root: Root.Type) -> Never {
    if let failure = error as? Failure ?? (error as? AppError).map(UserMessages.failure) {
      StandardError.report(failure.message)
      exit(failure.status.rawValue)
    }
    let text = UsageLine.broken(root.fullMessage(for: error), within: 80)
    let code = root.exitCode(for: error)
    if code == .success { exit(print(text).rawValue) }
    let own = text.hasPrefix("Error: ") ? StandardError.signature + text.dropFirst("Error: ".count) : text
    if !own.isEmpty { StandardError.write(StandardError.harmless(own) + "\n") }
    exit(code.rawValue)
  }

  /// Writes a text to standard output; returns the exit status.
  package static func print(_ text: String) -> ExitStatus {
    do {
      var output = Output()
      output.write(text + "\n")
      try output.finish()
      return .done
    } catch let failure as Failure {
      StandardError.report(failure.message)
      return failure.status
    } catch { return .done }
  }
}
