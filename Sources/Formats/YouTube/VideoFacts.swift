import Core
import JSON

/// Responses about videos.
package enum VideoResponse {
  /// Parses a response to `APIRequest.videos` into facts per video; videos unknown to the API are absent.
  ///
  /// Throws `malformed` if it is anything else. A response without `items` has no videos.
  package static func read(_ body: [UInt8]) throws(APIFailure) -> EnrichedVideos {
    let items = try items(body)
    var result = EnrichedVideos(facts: items.compactMap(facts))
    for item in items {
      // A string, as all large numbers of the API; absent if the channel hides it.
      guard let video = item["id"]?.string.flatMap({ VideoID(youTube: $0) }),
        let count = item["statistics"]?["viewCount"]?.string.flatMap({ Int($0) }), count >= 0
      else { continue }
      result.views[video] = count
    }
    return result
  }

  private static func items(_ body: [UInt8]) throws(APIFailure) -> [JSONValue] {
    guard let response = JSONValue(body), response["kind"]?.string == "youtube#videoListResponse" else {
      throw .malformed
    }
    guard let items = response["items"] else { return [] }
    guard let elements = items.elements else { throw .malformed }
    return elements
  }

  private static func facts(_ item: JSONValue) -> VideoEnriched? {
    guard let video = item["id"]?.string.flatMap({ VideoID(youTube: $0) }) else { return nil }
    let details = item["liveStreamingDetails"]
    let live = live(item["snippet"]?["liveBroadcastContent"]?.string, isStream: details != nil)
    let seconds = item["contentDetails"]?["duration"]?.string.flatMap(ISODuration.seconds)
    return VideoEnriched(
      video: video,
      // `P0D` means that the duration is not known yet.
      duration: seconds.flatMap { $0 > 0 ? $0 : nil }, live: live, scheduled: details?["scheduledStartTime"]?.time,
      started: details?["actualStartTime"]?.time, ended: details?["actualEndTime"]?.time)
  }

  /// Parses a response to `APIRequest.descriptions`; the same for what is wrong with it.
  package static func descriptions(_ body: [UInt8]) throws(APIFailure) -> [VideoDescribed] {
    try items(body).compactMap { item in
      guard let video = item["id"]?.string.flatMap({ VideoID(youTube: $0) }) else { return nil }
      let snippet = item["snippet"]
      let seconds = item["contentDetails"]?["duration"]?.string.flatMap(ISODuration.seconds)
      return VideoDescribed(
        video: video, title: text(snippet?["title"]), channel: snippet?["channelId"]?.string.flatMap { ChannelID($0) },
        channelTitle: text(snippet?["channelTitle"]), published: snippet?["publishedAt"]?.time,
        duration: seconds.flatMap { $0 > 0 ? $0 : nil }, source: VideoDescribed.youTube)
    }
  }

  /// A text with something to see in it, as long as YouTube allows; nil for any other value.
  private static func text(_ value: JSONValue?) -> String? {
    guard let text = value?.string, text.count <= 300, !DisplayText(text).isBlank else { return nil }
    return text
  }

  private static func live(_ word: String?, isStream: Bool) -> Live? {
    switch word {
    case "upcoming": .upcoming
    case "live": .live
    case "none": isStream ? .ended : Live.none
    default: nil
    }
  }
}

/// What a response says of videos.
package struct EnrichedVideos: Equatable, Sendable {
  package var facts: [VideoEnriched]
  /// View counts, which change all the time and belong in no log.
  package var views: [VideoID: Int] = [:]
}

/// Durations as the API writes them (ISO 8601): `PT4M13S`, `P1DT2H`, `P0D`.
package enum ISODuration {
  /// The duration in seconds; nil if malformed. Years and months are not supported: no video lasts that long.
  package static func seconds(_ text: String) -> Int? {
    guard text.first == "P", text.utf8.count > 2 else { return nil }
    var rest = text.dropFirst()
    var seconds = 0
    var isTime = false
    while let letter = rest.first {
      if letter == "T", !isTime {
        isTime = true
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest[digits.endIndex...]
      guard digits.utf8.count <= 8, let count = Int(digits), let letter = rest.popFirst(),
        let unit = unit(letter, isTime: isTime)
      else { return nil }
      seconds += count * unit
    }
    return seconds
  }

  private static func unit(_ letter: Character, isTime: Bool) -> Int? {
    switch (letter, isTime) {
    case ("W", false): 604_800
    case ("D", false): 86_400
    case ("H", true): 3600
    case ("M", true): 60
    case ("S", true): 1
    default: nil
    }
  }
}

extension JSONValue {
  /// The time in an RFC 3339 string; nil if another type.
  var time: Timestamp? { string.flatMap { Timestamp(rfc3339: $0) } }
}
