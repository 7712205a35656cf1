import App
import Core
import Exporters
import HubCore
import PollEngine
import ReadModel

extension HubRoute {
  private static let query = HubParameter("query", .text, "What to search for; empty finds nothing.")
  private static let required = HubParameter("query", .text, "What to search for.", isRequired: true)

  static let search: [HubRoute] = [
    HubRoute(
      .get, "/api/v1/channels/search", "findChannels",
      "Channels that were ever seen, by a part of their names, and the price of a search on YouTube.", .read,
      query: [query], schema: .named("ChannelMatches"),
      work: .service { service, call in
        let given = try HubArguments(call.query, of: [query])
        let choices = try ChannelSearch(name: given["query"] ?? "").choices(in: service.session)
        let offer = service.searchOffer()
        return service.json { line in
          line.add("channels", objects: choices.map(\.json))
          if let offer { line.add("youtube", object: offer.json) } else { line.add("youtube", nil as String?) }
        }
      }),
    HubRoute(
      .post, "/api/v1/channels/search", "findYouTubeChannels",
      "Channels that YouTube finds; costs 100 units of the Data API, or none with yt-dlp.", .write,
      body: .members([required]), schema: .named("YouTubeChannels"),
      work: .service { service, call in
        let outcome = try service.youTubeChannels(HubArguments(call.object(), of: [required])["query"] ?? "")
        return service.json { line in
          line.add("channels", objects: outcome.found.map(\.json))
          line.add(outcome)
        }
      }),
    HubRoute(
      .post, "/api/v1/videos/search", "findYouTubeVideos",
      "Videos that YouTube finds, and whether a feed has shown them; costs as much.", .write,
      body: .members([required]), schema: .named("YouTubeVideos"),
      work: .service { service, call in
        let outcome = try service.youTubeVideos(HubArguments(call.object(), of: [required])["query"] ?? "")
        let videos = try outcome.found.map { video in
          var line = video.json
          line.add("found", try service.session.query { try $0.isFound(video.video) })
          return line
        }
        return service.json { line in
          line.add("videos", objects: videos)
          line.add(outcome)
        }
      }),
  ]
}

extension YouTubeSearch.Offer {
  fileprivate var json: JSONLine {
    var line = JSONLine()
    line.add("source", source.rawValue)
    line.add("cost", cost)
    line.add("unitsLeft", left)
    return line
  }
}

extension JSONLine {
  /// Who was searched with, and what it cost.
  fileprivate mutating func add<Found: Sendable>(_ outcome: YouTubeSearch.Outcome<Found>) {
    add("source", outcome.source.rawValue)
    add("units", outcome.units)
    add("unitsLeft", outcome.left)
  }
}
