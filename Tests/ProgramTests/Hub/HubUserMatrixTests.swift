import FixtureServer
import Glibc
import HubAPI
import HubCore
import HubWeb
import JSON
import TestSupport
import Testing

/// What one user decided, and the requests of others for it.
@Suite("Another user's ids")
final class HubUserMatrixTests: TwoUsers {
  /// The header of each role of Bob, and of a client without a login.
  private func visitors() throws -> [String: String] {
    [
      "anonymous": "X-Nobody: 1", "reader": try sandbox.bearer("bob", "read"), "writer": bob,
      "session": try logIn("bob"),
    ]
  }

  /// The path of a route with the ids of Ann in its variable parts; whether it has any.
  private static func path(_ route: HubRoute, _ hers: Hers) -> (path: String, isHers: Bool) {
    let path = route.path.split(separator: "/").map { "/" + (hers.parts[String($0)] ?? String($0)) }.joined()
    #expect(!path.contains("{"), "\(route.path) has a variable part that this test does not know")
    return (path.isEmpty ? "/" : path, path != route.path && route.path != "/")
  }

  /// What a route takes with the ids of somebody else.
  private static func bodies(_ hers: Hers) -> [String: String] {
    let (video, channel) = (hers.parts["{video}"] ?? "", hers.parts["{channel}"] ?? "")
    return [
      "mark": #"{"marks":[{"video":"\#(video)","saved":false,"collection":"Her list","member":false}]}"#,
      "setChannel": #"{"title":"Mine"}"#, "pair": #"{"code":"AAAAAAAA","device":"aaaaaaaa"}"#,
      "setPreference": #"{"value":"dark"}"#,
      "addRule": #"{"verdict":"block","channel":"\#(channel)"}"#,
      "previewRule": #"{"verdict":"block","tag":"herTag"}"#, "addToken": #"{"name":"x","scope":"read"}"#,
      "addCollection": #"{"collection":"Mine","description":"mine"}"#,
      "setCollection": #"{"collection":"Mine","description":"mine"}"#,
    ]
  }

  private static func queries(_ hers: Hers) -> [String: [String]] {
    let filters = ["", "?tag=herTag", "?channel=" + science, "?collection=Her+list"]
    return [
      "changes": ["?since=" + hers.position], "logLines": ["?offset=0"],
      "addLogLines": ["?offset=0", "?offset=0&wholeLength=1&wholeChecksum=" + String(repeating: "0", count: 32)],
      "undo": ["?yes=true&action=" + hers.action], "atomFeed": filters,
      "jsonFeed": filters,
      "listVideos": ["", "?all=true&shorts=show", "?tag=herTag", "?channel=" + science, "?search=the&all=true"],
      "feedView": ["", "?status=all&mode=mix", "?tag=herTag&status=all", "?channel=" + science, "?q=the&status=all"],
      "findChannels": ["", "?query=Her", "?query=in+a+nutshell"], "discoverView": ["", "?q=the", "?q=her+note"],
      "followView": ["", "?name=Her", "?name=in+a+nutshell"],
      "channelsView": ["", "?tag=herTag"], "shareView": ["?text=https://youtu.be/" + (hers.parts["{video}"] ?? "")],
    ]
  }

  @Test("With another user's ids no route shows or changes what they decided")
  func matrix() throws {
    let (hers, visitors) = (try decide(), try visitors())
    let before = try sandbox.hubLines("ann")
    // Following and importing are each user's own, and logging in belongs to no user yet.
    let others = ["follow", "importFile", "logIn", "logOut", "events"]
    for route in HubRoute.all where !others.contains(route.name) {
      let (path, isHers) = HubUserMatrixTests.path(route, hers)
      for (role, header) in visitors {
        for query in HubUserMatrixTests.queries(hers)[route.name] ?? [""] {
          let response = try hub.send(
            route.method.rawValue.uppercased(), path + query,
            [header, "Content-Type: application/json"], body: (HubUserMatrixTests.bodies(hers)[route.name] ?? "").utf8)
          let context = "\(role) \(route.method) \(path)\(query): \(response.status) \(response.text.prefix(300))"
          if isHers || route.name == "undo" { #expect([401, 403, 404, 409].contains(response.status), "\(context)") }
          if role == "anonymous", route.access != .open { #expect(response.status == 401, "\(context)") }
          if role == "reader", route.access == .write { #expect(response.status == 403, "\(context)") }
          let body = HubUserMatrixTests.bodies(hers)[route.name] ?? ""
          #expect(hers.isHidden(from: response, to: path + query + body), "\(context)")
        }
      }
    }
    #expect(try sandbox.hubLines("ann") == before)
    #expect(try hub.get("/api/v1/tokens", ann).status == 200, "her token still works")
    let video = hers.parts["{video}"] ?? ""
    #expect(try mark(video, #""saved":false"#, by: bob).json["changed"] == 0)
    // What only her feeds have shown is a bare ID to him.
    #expect(try mark(video, #""saved":true"#, by: bob).json["changed"] == 1)
    let details = try hub.get("/api/v1/videos/\(video)", bob).json
    #expect(details["title"] == "" && details["channel"] == .null && details["found"] == .null)
    #expect(try sandbox.hubLines("ann") == before)
  }

  /// The fields of the page's forms with the ids of somebody else.
  private static func fields(_ hers: Hers) -> [String: [String]] {
    let video = hers.parts["{video}"] ?? ""
    return [
      "markForm": ["unsave", "watched", "note", "uncollect&collection=Her+list"].map { "video=\(video)&action=\($0)" },
      "undoForm": ["action=\(hers.action)&yes=true"],
      "collectionForm": ["action=set&collection=Mine", "action=delete"],
      "channelForm": ["title=Mine&tags=", "action=unfollow", "action=older"],
      "ruleForm": ["action=remove&rule=\(hers.parts["{rule}"] ?? "")", "action=preview&verdict=block&tag=herTag"],
      "googleForm": ["connect", "sync", "check", "unfollow&question=1", "disconnect"].map { "action=\($0)" },
      "tokenForm": ["action=revoke&token=1", "action=rename&token=1&name=Mine"],
      "userForm": ["action=disable", "action=rename&name=anna", "action=remove&name=ann", "action=code"],
    ]
  }

  @Test("With another user's IDs no view or form of the page shows or changes that user's decisions")
  func pageMatrix() throws {
    let (hers, visitors) = (try decide(), try visitors())
    let before = try sandbox.hubLines("ann")
    // As above.
    let others = ["followForm", "importForm", "starterForm"]
    for route in HubRoute.pages where route.access != .open && !others.contains(route.name) {
      let (path, isHers) = HubUserMatrixTests.path(route, hers)
      for (role, header) in visitors {
        for query in HubUserMatrixTests.queries(hers)[route.name] ?? [""] {
          for fields in HubUserMatrixTests.fields(hers)[route.name] ?? [""] {
            let response = try hub.send(
              route.method.rawValue.uppercased(), path + query,
              [header, "Content-Type: application/x-www-form-urlencoded"], body: fields.utf8)
            let context = "\(role) \(route.method) \(path)\(query) \(fields): \(response.status)"
            let isForm = route.access == .write
            if role == "anonymous" {
              #expect(response.headers["location"]?.hasPrefix("/login") == true, "\(context)")
            } else if route.access == .administer || role == "reader" && isForm {
              #expect(response.status == 403, "\(context)")
            } else if route.name == "videoView" {
              #expect(
                response.status == 200 && response.text.contains("No feed has shown this video yet"), "\(context)")
            } else if isHers {
              #expect(response.status == 404, "\(context)")
            }
            let isChanged =
              response.headers["location"].map { $0.contains("done=") && !$0.contains("done=stale") } ?? false
            #expect(!isChanged || ["pollForm", "markForm"].contains(route.name), "\(context) \(response.headers)")
            #expect(hers.isHidden(from: response, to: path + query + fields), "\(context)")
          }
        }
      }
    }
    #expect(try sandbox.hubLines("ann") == before)
    #expect(try hub.get("/api/v1/tokens", ann).status == 200, "her token still works")
  }

  @Test("A user's event stream says nothing of what others mark")
  func events() throws {
    _ = try decide()
    let connection = try HubConnection(hub.port)
    connection.write(Array("GET /api/v1/events HTTP/1.1\r\nHost: \(hub.host)\r\n\(bob)\r\n\r\n".utf8))
    let first = connection.read(until: "event: change")
    #expect(first.contains("200"))
    let hers = try videos(ann)
    #expect(try mark(hers[1], #""status":"watched""#, by: ann).json["changed"] == 1)
    usleep(2_500_000)
    let his = try videos(bob)
    #expect(try mark(his[0], #""status":"watched""#, by: bob).json["changed"] == 1)
    let position = try #require(try hub.get("/api/v1/changes", bob).json["token"]?.string)
    let rest = connection.read(until: position)
    #expect(rest.components(of: "event: change") <= 2, "the first one, if it came in two parts, and his own")
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
