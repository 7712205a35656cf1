import Glibc
import Platform
import Terminal

/// A poll in a process of its own, so that the view stays usable meanwhile.
final class BrowsePoll {
  private let process: pid_t
  /// Its standard error: progress and problems.
  let descriptor: Int32
  private let report: ScratchFile
  private var unread: [UInt8] = []
  private var isStopping = false

  /// Starts `poll --now` for a home. Throws if it cannot be started.
  init(home: String?) throws {
    let errors = Interrupt.pipe()
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer {
      close(nothing)
      close(errors.writing)
    }
    descriptor = errors.reading
    guard descriptor >= 0, nothing >= 0, let scratch = ScratchFile(holding: []) else {
      throw Failure(.disk, "no space for a temporary file in \(ScratchFile.folder)")
    }
    report = scratch
    let arguments = ["/proc/self/exe", "poll", "--now", "--progress"] + (home.map { ["--home=\($0)"] } ?? [])
    let child = ChildProcess(arguments: arguments, environment: Environment.variables())
    let descriptors = [
      (nothing, STDIN_FILENO), (scratch.descriptor, STDOUT_FILENO), (errors.writing, STDERR_FILENO),
    ]
    // Its own group: Ctrl-C is for the view.
    switch child.start(descriptors, flags: POSIX_SPAWN_SETPGROUP) {
    case .success(let started): process = started
    case .failure(let problem):
      close(descriptor)
      throw Failure(.disk, "poll: \(String(cString: strerror(problem.code)))")
    }
  }

  deinit { close(descriptor) }

  /// What it wrote since the last call: lines that end, and how far it is.
  func news() -> (messages: [String], progress: String?) {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { unread += chunk[..<count] }
    return BrowsePoll.take(&unread)
  }

  /// Splits what a poll writes for a terminal: messages end with a newline, progress overwrites its line.
  static func take(_ bytes: inout [UInt8]) -> (messages: [String], progress: String?) {
    var (messages, progress): ([String], String?) = ([], nil)
    while let end = bytes.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      let isMessage = bytes[end] == UInt8(ascii: "\n")
      let text = line(bytes[..<end])
      bytes.removeFirst(end + 1)
      if isMessage, !text.isEmpty { messages.append(text) } else if !text.isEmpty { progress = text }
    }
    // The present progress has no end yet; a message without an end is not whole.
    if bytes.starts(with: ProgressLine.erase.utf8.dropFirst()) { progress = line(bytes[...]) }
    return (messages, progress)
  }

  private static func line(_ bytes: ArraySlice<UInt8>) -> String {
    let erase = ProgressLine.erase.utf8.dropFirst()
    let rest = bytes.starts(with: erase) ? bytes.dropFirst(erase.count) : bytes
    let text = String(decoding: rest, as: UTF8.self)
    let name = "metube-rss: "
    return text.hasPrefix(name) ? String(text.dropFirst(name.count)) : text
  }

  /// What it reports once it has ended; nil while it runs.
  func ended() -> [String]? {
    guard ChildProcess.ending(of: process) != nil else { return nil }
    let text = String(decoding: report.bytes(limit: 65_536), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  /// Ends it as Ctrl-C does: it keeps what it found.
  func stop() {
    // A second signal would end it at once, without what it is about to append.
    guard !isStopping else { return }
    isStopping = true
    kill(process, SIGINT)
  }

  /// Stops it and waits until it has kept what it found.
  func finish() {
    stop()
    _ = ChildProcess.wait(for: process)  // Whatever it reports is not read any more.
  }
}
