import Core
import EventLog

/// The file of what this machine learnt by asking.
struct MemoryFile {
  private let path: String

  init(_ home: Home) { path = "\(home.state)/poll" }

  /// What is remembered; nothing where the file is missing. What cannot be read is told, and counts as nothing.
  func read() -> PollMemory {
    var memory = PollMemory()
    do {
      for record in try StateFile.read(path) ?? [] { memory.take(record) }
    } catch {
      Messages.tell(
        "\(path): what was learnt by asking is damaged or cannot be read; this run starts as after an outage")
      return PollMemory()
    }
    return memory
  }

  /// Keeps what is remembered, in place of what was.
  func write(_ memory: PollMemory) throws {
    do { try StateFile.write(path, memory.records) } catch { throw Words.failure(error) }
  }
}
