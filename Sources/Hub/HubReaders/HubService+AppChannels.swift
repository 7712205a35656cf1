import App
import Core
import HubCore
import JSON

/// What the MeTube app gets at a path that it shares with the API of the WebSearch guide.
extension HubService {
  /// A response to the app.
  package func appResponse(_ value: JSONValue) -> RouteResponse {
    RouteResponse(200, "application/json; charset=utf-8", value.bytes)
  }

  /// The channels followed, without playlists.
  package var followedChannels: [Channel] {
    get throws { try session.state.followed.filter { $0.id.channel != nil } }
  }

  /// The channels followed; the app crashes if one appears twice.
  package func appChannels() throws -> RouteResponse {
    let channels = try followedChannels.map { channel -> JSONValue in
      [
        "channelId": .string(channel.id.description), "title": channel.hasTitle ? .string(channel.title) : .null,
        "thumbnailUrl": channel.avatar.map { .string($0) } ?? .null,
      ]
    }
    return appResponse(["channels": .array(channels)])
  }
}
