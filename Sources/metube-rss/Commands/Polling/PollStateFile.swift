import Core
import EventLog

/// The file of this machine's polling state.
struct MemoryFile {
  private let session: Session
  private let path: String
  /// Whether this device polled before, so that the file should exist.
  private let isExpected: Bool
  /// Whether any device polled before.
  private let isPolled: Bool

  init(_ session: Session) {
    self.session = session
    path = "\(session.home.state)/poll"
    isExpected = session.journal.device.map { $0 == session.state.lastRun?.id.device } ?? false
    isPolled = session.state.lastRun != nil
  }

  /// The stored state; empty before the first poll. Reports an unreadable file, after which the next run is as careful
  /// as one after an outage.
  func read(at now: Timestamp) -> PollMemory { stored(at: now) ?? PollMemory() }

  /// The stored state for a caller about to send requests. As careful as after an outage also if only other devices
  /// polled, because one of them may be this machine before it lost its state folder.
  func readToAsk(at now: Timestamp) -> PollMemory {
    if let memory = stored(at: now) { return memory }
    guard isPolled else { return PollMemory() }
    Messages.tell("\(path): no record of earlier polls here; starting carefully, as after an outage")
    return .lost(at: now)
  }

  private func stored(at now: Timestamp) -> PollMemory? {
    do throws(LogError) {
      var memory = PollMemory()
      if try StateFile.read(path, { memory.take($0) }) { return memory }
      guard isExpected else { return nil }
      Messages.tell("\(path): polling state is missing; the next poll starts carefully, as after an outage")
    } catch {
      let words = Words.unreadable(error)
      Messages.tell("\(path): polling state \(words); the next poll starts carefully, as after an outage")
    }
    return .lost(at: now)
  }

  /// Replaces the stored state, keeping only current subscriptions.
  func write(_ memory: PollMemory) throws(Failure) {
    do { try StateFile.write(path, memory.following(session.state).records) } catch { throw Words.unkept(error) }
  }
}
