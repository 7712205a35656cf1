import App
import Core
import EventLog
import Exporters
import HubCore
import HubStore
import JSON
import Library
import PollEngine

extension HubRoute {
  fileprivate static let following: [HubParameter] = [
    HubParameter("channels", .text, "What to follow, up to 5000.", isRepeated: true, isRequired: true),
    HubParameter("tag", .text, "A tag to add to them.", isRepeated: true),
    HubParameter("seenBefore", .text, "Mark videos published before this as watched."),
  ]

  static let channels: [HubRoute] = [
    HubRoute(
      .get, "/api/v1/channels", "listChannels", "The subscriptions.", .read, query: selection,
      schema: .named("Channels"),
      work: .service { service, call in
        try service.channels(ChannelsRequest(HubArguments(call.query, of: selection)))
      }),
    HubRoute(
      .post, "/api/v1/channels", "follow", "Follow channels and playlists, by ID, address or handle.", .write,
      body: .members(following), schema: .named("Followed"), work: .service { try $0.follow($1) }),
    HubRoute(
      .get, "/api/v1/channels/{channel}", "getChannel", "One subscription.", .read, schema: .named("Channel"),
      work: .service { service, call in
        let id = try service.followed(call)
        let memory = try service.session.pollState()
        let rows = try service.session.channelRows(memory)
        guard let row = rows.first(where: { $0.channel == id }) else { throw HubProblem(404, "\(id): not followed") }
        return service.json(try service.numbered([row], memory)[0].object)
      }),
    HubRoute(
      .patch, "/api/v1/channels/{channel}", "setChannel", "Change a channel's settings.", .write,
      body: .members(settings), schema: .named("Changed"),
      work: .service { service, call in
        let given = try HubArguments(call.object(), of: settings)
        guard !given.isEmpty else {
          throw HubProblem(400, "nothing to set; give one of \(settings.map(\.name).joined(separator: ", "))")
        }
        let change = try ChannelSettings(given, of: service.followed(call)).set(in: service.session)
        return service.json { $0.add("changed", change.event == nil ? 0 : 1) }
      }),
    HubRoute(
      .delete, "/api/v1/channels/{channel}", "unfollow", "Unfollow a channel or playlist; its videos stay.", .write,
      schema: .named("Changed"),
      work: .service { service, call in
        let events = try service.unfollow(service.followed(call))
        return service.json { $0.add("changed", events.count) }
      }),
    HubRoute(
      .get, "/api/v1/tags", "listTags", "The tags of the subscriptions, and how many have each.", .read,
      schema: .named("Tags"),
      work: .service { service, _ in
        var counts: [String: Int] = [:]
        for channel in try service.session.state.followed { for tag in channel.tags { counts[tag, default: 0] += 1 } }
        let tags = counts.keys.sorted()
        let lines = tags.map { tag in
          var line = JSONLine()
          line.add("tag", tag)
          line.add("channels", counts[tag])
          return line
        }
        let rows = try service.numbered(lines, .tag, tags)
        return service.json { $0.add("tags", objects: rows) }
      }),
    HubRoute(
      .get, "/api/v1/status", "status", "Recent polls, failures, gaps and the log.", .read, schema: .named("Status"),
      work: .service { service, _ in
        var line = try StatusReport(service.session, runs: RecentRuns.maximum).json
        line.add("damage", objects: try service.damage().map(\.json))
        return service.json(line.object)
      }),
  ]
}

extension HubService {
  /// The followed subscription of the path.
  fileprivate func followed(_ call: HubCall) throws -> SubscriptionID {
    let text = call.part("channel")
    guard let id = SubscriptionID(text), try session.state.channels[id]?.isFollowed == true else {
      throw HubProblem(404, "“\(text)” is not the ID of a channel that you follow")
    }
    return id
  }

  fileprivate func channels(_ request: ChannelsRequest) throws -> RouteResponse {
    let memory = try session.pollState()
    let rows = try request.rows(in: session, memory)
    let unresolved = try session.state.unresolved.map(\.handle)
    return try json { line in
      line.add("channels", objects: try numbered(rows, memory))
      line.add("unresolved", unresolved)
    }
  }

  fileprivate func follow(_ call: HubCall) throws -> RouteResponse {
    let request = FollowRequest(try HubArguments(call.object(), of: HubRoute.following))
    guard request.channels.count <= 5000 else { throw HubProblem(400, "channels: more than 5000") }
    let events = try follow(request)
    let followed = events.compactMap { event in
      switch event.body {
      case .channelFollowed(let followed): followed.subscription.description
      case .feedFollowed(let followed): followed.feed.description
      case .handleFollowed(let followed): followed.handle
      default: nil
      }
    }
    return json { line in
      line.add("followed", followed)
      line.add("changed", events.count)
    }
  }
}
