import Core
import EventLog

/// The file of what this machine learnt by asking.
struct MemoryFile {
  private let session: Session
  private let path: String
  /// Whether this device polled before, so that there ought to be a file.
  private let isExpected: Bool
  /// Whether any device did.
  private let isPolled: Bool

  init(_ session: Session) {
    self.session = session
    path = "\(session.home.state)/poll"
    isExpected = session.journal.device.map { $0 == session.state.lastRun?.id.device } ?? false
    isPolled = session.state.lastRun != nil
  }

  /// What is remembered; nothing before the first poll. What cannot be read is told, and the next run is as careful
  /// as one after an outage.
  func read(at now: Timestamp) -> PollMemory { stored(at: now) ?? PollMemory() }

  /// What is remembered, for one who is about to ask: also as careful as after an outage where it was another device
  /// that polled, for that may have been this machine before its state folder was lost.
  func readToAsk(at now: Timestamp) -> PollMemory {
    if let memory = stored(at: now) { return memory }
    guard isPolled else { return PollMemory() }
    Messages.tell("\(path): nothing is known here of earlier polls; this one begins as after an outage")
    return .lost(at: now)
  }

  private func stored(at now: Timestamp) -> PollMemory? {
    do throws(LogError) {
      var memory = PollMemory()
      if try StateFile.read(path, { memory.take($0) }) { return memory }
      guard isExpected else { return nil }
      Messages.tell("\(path): what was learnt by asking is lost; the next poll begins as after an outage")
    } catch {
      let words = Words.unreadable(error)
      Messages.tell("\(path): what was learnt by asking \(words); the next poll begins as after an outage")
    }
    return .lost(at: now)
  }

  /// Keeps what is remembered of what is followed now, in place of what was.
  func write(_ memory: PollMemory) throws(Failure) {
    do { try StateFile.write(path, memory.following(session.state).records) } catch { throw Words.unkept(error) }
  }
}
