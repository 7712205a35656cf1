import Core
import EventLog
import YouTubeAPI

/// The file of what this machine remembers of the Data API.
struct APIFile {
  private let path: String

  /// The file in this machine's own folder.
  init(_ home: Home) { path = "\(home.state)/api" }

  /// What is remembered; nothing before the first question. Where it is lost the day's budget begins anew, which with
  /// the usual one still keeps within the key's own quota.
  func read() -> APIMemory {
    do throws(LogError) {
      var memory = APIMemory()
      for record in try StateFile.read(path) ?? [] { memory.take(record) }
      return memory
    } catch {
      Messages.tell(
        "\(path): what was remembered of the Data API \(Words.unreadable(error)); the day's count begins anew")
      return APIMemory()
    }
  }

  /// Keeps what is remembered, in place of what was.
  func write(_ memory: APIMemory) throws {
    do { try StateFile.write(path, memory.records) } catch { throw Words.failure(error) }
  }
}

extension APIMemory {
  /// The records: one of the day, one of each missing video.
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

  /// Takes what one record says; one that is not understood says nothing.
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
