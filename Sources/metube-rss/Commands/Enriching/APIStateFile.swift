import Core
import EventLog
import YouTube

/// This machine's Data API state file.
struct APIFile {
  private let path: String

  /// The file in this machine's state folder.
  init(_ home: Home) { path = "\(home.state)/api" }

  /// The stored state; empty before the first request. If it is unreadable the day's budget restarts, which with the
  /// default budget still stays within the key's own quota.
  func read() -> APIMemory {
    do throws(LogError) {
      var memory = APIMemory()
      for record in try StateFile.read(path) ?? [] { memory.take(record) }
      return memory
    } catch {
      Messages.tell(
        "\(path): the Data API state \(Words.unreadable(error)); today's unit count restarts at 0")
      return APIMemory()
    }
  }

  /// Replaces the stored state.
  func write(_ memory: APIMemory) throws {
    do { try StateFile.write(path, memory.records) } catch { throw Words.failure(error) }
  }
}

extension APIMemory {
  /// The records: one for the day, one per missing video.
  fileprivate var records: [StateRecord] {
    var records: [StateRecord] = []
    if let day {
      records.append(
        StateRecord([
          ("day", .number(day.daysSinceEpoch)), ("units", .number(units)), ("exhausted", .flag(isExhausted)),
        ]))
    }
    for (video, since) in missing.sorted(by: { $0.key < $1.key }) {
      records.append(StateRecord([("missing", .text(video.description)), ("since", .text(since.rfc3339))]))
    }
    return records
  }

  /// Applies one record; ignores unknown ones.
  fileprivate mutating func take(_ record: StateRecord) {
    switch (record["day"], record["units"], record["exhausted"], record["missing"], record["since"]) {
    case (.number(let number), .number(let units), .flag(let isExhausted), _, _):
      (day, self.units, self.isExhausted) = (CivilDate(daysSinceEpoch: number), units, isExhausted)
    case (_, _, _, .text(let id), .text(let since)):
      if let video = VideoID(id), let time = Timestamp(rfc3339: since) { missing[video] = time }
    default: break
    }
  }
}
