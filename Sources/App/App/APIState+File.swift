import Core
import EventLog
import Messages
import Platform
import YouTube

/// This machine's Data API state file.
extension APIState {
  fileprivate static func path(in home: Home) -> String { "\(home.pollState)/api" }

  /// The stored state; empty before the first request. If it is unreadable the day's budget restarts, which with the
  /// default budget still stays within the key's own quota.
  init(storedIn home: Home) {
    self.init()
    let path = APIState.path(in: home)
    do { for record in try StateFile.read(path) ?? [] { take(record) } } catch {
      StandardError.report(
        "\(path): the Data API state \(UserMessages.unreadable(error)); today's unit count restarts at 0")
    }
  }

  /// Stores the state.
  func store(in home: Home) throws {
    do { try StateFile.write(APIState.path(in: home), records) } catch { throw UserMessages.failure(error) }
  }

  /// The records: one for the day, one per missing video or channel, one per complete playlist.
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
    for (channel, since) in missingChannels.sorted(by: { $0.key < $1.key }) {
      records.append(StateRecord([("missing", .text(channel.description)), ("since", .text(since.rfc3339))]))
    }
    for (playlist, listing) in playlists.sorted(by: { $0.key < $1.key }) {
      records.append(StateRecord(playlist, listing))
    }
    return records
  }

  /// Applies one record; ignores unknown ones.
  fileprivate mutating func take(_ record: StateRecord) {
    if let (playlist, listing) = record.listing { playlists[playlist] = listing }
    switch (record["day"], record["units"], record["exhausted"], record["missing"], record["since"]) {
    case (.number(let number), .number(let units), .flag(let isExhausted), _, _):
      (day, self.units, self.isExhausted) = (CivilDate(daysSinceEpoch: number), units, isExhausted)
    case (_, _, _, .text(let id), .text(let since)):
      guard let time = Timestamp(rfc3339: since) else { return }
      if let video = VideoID(youTube: id) { missing[video] = time }
      if let channel = ChannelID(id) { missingChannels[channel] = time }
    default: break
    }
  }
}
