import HubCore
import Seeded

@testable import metube_hub

/// A request that a route takes, made from the table of routes.
struct RouteSample {
  var method: String
  /// The path and query, percent-encoded where needed.
  var target: String
  /// The media type of the body; nil without one.
  var type: String?
  var body: [UInt8] = []

  /// The values of the variable parts of paths, by their names in braces.
  struct Values: Sendable {
    var parts: [String: String]
    /// IDs and names that queries and bodies take.
    var video: String
    var channel: String
  }

  /// A request of a route. `random` chooses the values of its parameters; without it only required ones are given.
  init(_ route: HubRoute, _ values: Values, _ random: inout SeededGenerator, isFull: Bool) {
    method = route.method.rawValue.uppercased()
    let path = route.path.split(separator: "/").map { part in
      "/" + (values.parts[String(part)] ?? (part.hasPrefix("{") ? "1" : String(part)))
    }.joined()
    let query = route.query.filter { $0.isRequired || isFull && Bool.random(using: &random) }
      .map { "\($0.name)=\(RouteSample.text(of: $0, values, &random))" }
    target = (path.isEmpty ? "/" : path) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    switch route.body {
    case .none: break
    case .members(let members):
      type = "application/json"
      let given = members.filter { $0.isRequired || isFull && Bool.random(using: &random) }.map { member in
        "\"\(member.name)\":" + RouteSample.json(of: member, values, &random)
      }
      body = Array("{\(given.joined(separator: ","))}".utf8)
    case .json, .bytes:
      type = "application/json"
      body = Array((RouteSample.bodies(values)[route.path] ?? "{}").utf8)
    case .form:
      type = "application/x-www-form-urlencoded"
      body = Array((RouteSample.forms(values)[route.path] ?? "back=%2F").utf8)
    case .upload:
      type = "multipart/form-data; boundary=xyz"
      let head = "--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n"
      body = Array(
        (head
          + "\(values.channel)\r\n--xyz\r\nContent-Disposition: form-data; name=\"action\"\r\n\r\ncheck\r\n--xyz--\r\n")
          .utf8)
    case .file:
      type = "text/plain"
      body = Array("\(values.channel)\n".utf8)
    case .lines:
      type = "application/jsonl"
      body = Array("{\"v\":1,\"id\":\"0019a1b2c3d4e-0000-k3v9x2ap\",\"kind\":\"statusSet\",\"c\":\"00000000\"}\n".utf8)
    }
  }

  /// The request with headers, as bytes; the connection closes after it.
  func bytes(_ headers: [String]) -> [UInt8] {
    var lines = ["\(method) \(target) HTTP/1.1", "Connection: close"] + headers
    if let type { lines.append("Content-Type: \(type)") }
    if !body.isEmpty { lines.append("Content-Length: \(body.count)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  private static func text(of parameter: HubParameter, _ values: Values, _ random: inout SeededGenerator) -> String {
    switch parameter.kind {
    case .flag: return Bool.random(using: &random) ? "true" : "false"
    case .integer(let range):
      return "\(Int.random(in: range.lowerBound...min(range.upperBound, range.lowerBound + 100), using: &random))"
    case .choice(let choices): return choices.randomElement(using: &random) ?? ""
    case .text:
      switch parameter.name {
      case "channel", "channels": return values.channel
      case "video": return values.video
      case "since", "until", "seenBefore": return "3d"
      case let name where name.hasPrefix("min") || name.hasPrefix("max"): return "10m"
      default: return ["the", "a", "herTag", "1"].randomElement(using: &random) ?? ""
      }
    }
  }

  private static func json(of parameter: HubParameter, _ values: Values, _ random: inout SeededGenerator) -> String {
    let text = text(of: parameter, values, &random)
    switch parameter.kind {
    case .flag, .integer: return text
    case .choice, .text: return parameter.isRepeated ? "[\"\(text)\"]" : "\"\(text)\""
    }
  }

  /// The bodies of routes whose table does not describe them, by path.
  private static func bodies(_ values: Values) -> [String: String] {
    let entry = values.parts["{entry}"] ?? "1"
    let channel = "{\"channel_url\":\"\(values.channel)\"}"
    return [
      "/api/v1/marks": #"{"marks":[{"video":"\#(values.video)","saved":false,"note":"x","collection":"Mine"}]}"#,
      "/v1/entries": #"{"entry_ids":[\#(entry)],"status":"read"}"#,
      "/v1/feeds": #"{"feed_url":"\#(values.channel)","category_id":1}"#,
      "/v1/discover": #"{"url":"\#(values.channel)"}"#,
      "/v1/feeds/{feed}": #"{"title":"Mine"}"#, "/v1/categories": #"{"title":"mine"}"#,
      "/v1/categories/{category}": #"{"title":"mine"}"#, "/api/auth/login": #"{"username":"nobody","password":"x"}"#,
      "/api/channels": channel, "/api/subscriptions": channel,
      "/api/channels/register": #"{"channelIds":["\#(values.channel)"]}"#,
      "/api/videos/query": #"{"afterSeq":0,"limit":5}"#, "/k/{secret}/api/videos/query": #"{"afterSeq":0,"limit":5}"#,
      "/api/feed/{item}/progress": #"{"watch_progress_seconds":5}"#,
      "/api/feed/{item}/watched": #"{"is_watched":true}"#,
      "/api/saved-videos": #"{"video_id":"\#(values.video)","notes":"x"}"#, "/api/collections": #"{"name":"Mine"}"#,
      "/api/collections/{list}/videos": #"{"video_id":"\#(values.video)"}"#,
      "/api/discover/search": #"{"query":"the"}"#,
    ]
  }

  /// The forms of routes, by path.
  private static func forms(_ values: Values) -> [String: String] {
    let entry = values.parts["{entry}"] ?? "1"
    let api = "/reader/api/0"
    return [
      "/marks": "video=\(values.video)&action=unsave", "/undo": "yes=true",
      "/rules": "action=preview&verdict=block&contains=the",
      "/channels/{channel}": "title=Mine", "/collections": "collection=Mine",
      "/collections/{collection}": "action=set&collection=Mine",
      "/login": "name=nobody&password=x", "/settings/tokens": "action=revoke&token=1",
      "/settings/google": "action=sync",
      "/settings/sessions": "action=end&session=x",
      "/accounts/ClientLogin": "Email=nobody&Passwd=x", "\(api)/edit-tag": "i=\(entry)&a=user/-/state/com.google/read",
      "\(api)/mark-all-as-read": "s=feed/1", "\(api)/stream/items/contents": "i=\(entry)",
      "\(api)/subscription/edit": "s=feed/1&ac=edit&t=Mine", "\(api)/subscription/quickadd": "quickadd=nothing",
      "\(api)/rename-tag": "s=user/-/label/herTag&dest=user/-/label/mine",
      "\(api)/disable-tag": "s=user/-/label/herTag",
    ]
  }
}
