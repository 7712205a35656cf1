import JSON
import TestSupport
import Testing

@Suite("Collections in the hub")
struct HubCollectionTests {
  private let sandbox: Sandbox
  private let hub: TestHub
  private let ids = threeVideos.map(\.id)
  private static let path = "/api/v1/collections"

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
    hub = TestHub(sandbox)
  }

  private func send(_ method: String, _ name: String, _ body: String) throws -> HubResponse {
    try hub.send(method, HubCollectionTests.path + name, json: body)
  }

  /// Sends a form of the page, and gets the view that it leads to.
  private func post(_ path: String, _ fields: String) throws -> (path: String, view: HubResponse) {
    let response = try hub.send(
      "POST", path, ["Content-Type: application/x-www-form-urlencoded"], body: fields.utf8)
    #expect(response.status == 303, "\(response.status) \(response.text)")
    let location = try #require(response.headers["location"])
    return (String(location.prefix { $0 != "?" }), try hub.get(location))
  }

  private func undo() throws { #expect(try hub.send("POST", "/api/v1/undo?yes=true").status == 200) }

  private func list() throws -> [String] { try sandbox.run("collection", "list", "--format", "ids").lines }

  @Test("The API creates, describes, renames and deletes a collection, each as one action that undo takes back")
  func api() throws {
    let made = try send("POST", "", #"{"collection":" Trains ","description":"Only steam"}"#)
    let row = try made.json
    #expect(made.status == 201 && row["collection"] == "Trains" && row["videos"] == 0)
    #expect(row["description"] == "Only steam" && row["number"]?.number != nil)
    try sandbox.succeed("collection", "add", "Trains", ids[2], ids[0])
    #expect(try send("PATCH", "/trains", #"{"collection":"Railways","description":"All"}"#).json["changed"] == 6)
    let renamed = try hub.get("\(HubCollectionTests.path)/Railways").json
    #expect(renamed["description"] == "All" && renamed.texts("videos", of: "video") == [ids[2], ids[0]])
    #expect(try hub.get("\(HubCollectionTests.path)/Trains").status == 404)
    try undo()
    let back = try hub.get("\(HubCollectionTests.path)/Trains").json
    #expect(back["description"] == "Only steam" && Set(back.texts("videos", of: "video")) == [ids[0], ids[2]])
    #expect(try list() == ["Trains"])
    #expect(try hub.send("DELETE", "\(HubCollectionTests.path)/Trains").json["changed"] == 3)
    #expect(try list().isEmpty)
    try undo()
    #expect(try list() == ["Trains"])
    #expect(try hub.get("\(HubCollectionTests.path)/Trains").json["description"] == "Only steam")
  }

  @Test("A rename to itself or with nothing to change adds no event; an empty description removes it")
  func unchanged() throws {
    _ = try send("POST", "", #"{"collection":"Trains","description":"Steam"}"#)
    for body in ["{}", #"{"collection":"Trains"}"#, #"{"description":" Steam "}"#] {
      #expect(try send("PATCH", "/Trains", body).json["changed"] == 0, "\(body)")
    }
    #expect(try send("PATCH", "/Trains", #"{"description":""}"#).json["changed"] == 1)
    #expect(try hub.get(HubCollectionTests.path).json["collections"]?.elements?.first?["description"] == .null)
  }

  @Test(
    "What cannot be is refused with its status",
    arguments: [
      ("POST", "", #"{"collection":"two"}"#, 409), ("POST", "", #"{"collection":"Saved"}"#, 400),
      ("POST", "", #"{"collection":" "}"#, 400), ("POST", "", #"{"collection":"a\nb"}"#, 400),
      ("POST", "", "{}", 400), ("POST", "", #"{"collection":"Three","kept":true}"#, 400),
      ("PATCH", "/One", #"{"collection":"TWO"}"#, 409), ("PATCH", "/One", #"{"collection":"saved"}"#, 400),
      ("PATCH", "/None", #"{"description":"x"}"#, 404), ("PATCH", "/saved", #"{"description":"x"}"#, 400),
      ("DELETE", "/None", "", 404), ("DELETE", "/saved", "", 400),
    ])
  func refused(method: String, name: String, body: String, status: Int) throws {
    for name in ["One", "Two"] { try sandbox.succeed("collection", "create", name) }
    let before = sandbox.log
    let response = try send(method, name, body)
    #expect(response.status == status, "\(response.text)")
    #expect(sandbox.log == before)
  }

  @Test("On the page without script: create, describe, rename, delete, and undo of each")
  func page() throws {
    #expect(try hub.get("/collections").text.contains(#"<form method="post" action="/collections">"#))
    let made = try post("/collections", "collection=To+cook%2Fbake&description=%3Cb%3E")
    #expect(made.path == "/collections/To%20cook%2Fbake" && made.view.status == 200)
    #expect(made.view.text.contains("&lt;b&gt;") && made.view.text.contains("No videos in it yet"))
    #expect(made.view.text.contains(#"name="action" value="delete""#))
    try sandbox.succeed("collection", "add", "To cook/bake", ids[0])
    let named = try post(made.path, "action=set&collection=Pies&description=Sweet")
    #expect(named.path == "/collections/Pies" && named.view.text.contains("v-\(ids[0])"))
    #expect(named.view.text.contains(">Undo</button>") && named.view.text.contains("Sweet"))
    #expect(try hub.get(made.path).status == 404)
    let tile = try hub.get("/collections").text
    #expect(tile.contains(#"<span dir="auto">Sweet</span>"#))
    let deleted = try post("/collections/Pies", "action=delete")
    #expect(deleted.path == "/collections" && deleted.view.text.contains("No collections yet"))
    let action = try #require(deleted.view.text.split(separator: #"name="action" value=""#).dropFirst().first)
    _ = try post("/undo", "action=\(action.prefix { $0 != "\"" })&back=%2Fcollections")
    #expect(try list() == ["Pies"])
    try undo()
    #expect(try list() == ["To cook/bake"])
    let taken = try hub.send(
      "POST", "/collections", ["Content-Type: application/x-www-form-urlencoded"],
      body: "collection=to+cook%2Fbake".utf8)
    #expect(taken.status == 409 && taken.text.contains("already"))
  }

  @Test("The saved videos are a view of their own")
  func saved() throws {
    let response = try hub.get("/collections/Saved")
    #expect(response.status == 303 && response.headers["location"] == "/saved")
  }
}
