import HubCore
import HubWeb
import JSON
import TestSupport
import Testing

@testable import metube_hub

/// The page when the hub has users.
@Suite("The hub's page with users")
struct HubPageAccountTests {
  private let sandbox: Sandbox
  private let hub: RunningHub
  private static let form = "Content-Type: application/x-www-form-urlencoded"

  init() throws {
    sandbox = try Sandbox()
    try sandbox.succeed("follow", "--tag", "a & b", "UCsXVk37bltHxD1rDPwtNM8Q")
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
    let outcome = try program.run(["user", "add", "ann"], input: Array("correct horse\n".utf8))
    #expect(outcome.status == 0, "\(outcome.errors)")
    hub = try RunningHub(sandbox)
  }

  private func post(_ path: String, _ fields: String, _ headers: String...) throws -> HubResponse {
    try hub.send("POST", path, [HubPageAccountTests.form] + headers, body: fields.utf8)
  }

  private func cookie() throws -> String {
    let response = try post("/login", "name=ann&password=correct+horse&back=%2Fstatus")
    #expect(response.status == 303 && response.headers["location"] == "/status", "\(response.text)")
    let header = try #require(response.headers["set-cookie"])
    #expect(header.contains("HttpOnly") && header.contains("SameSite=Lax"))
    return "Cookie: " + header.prefix { $0 != ";" }
  }

  @Test("Whoever is not logged in is sent to the login, and back afterwards")
  func sentToLogin() throws {
    for route in HubRoute.pages where route.access != .open && route.method == .get {
      let path = route.path.split(separator: "/").map { $0.hasPrefix("{") ? "/x" : "/\($0)" }.joined()
      let response = try hub.get(path.isEmpty ? "/" : path)
      #expect(response.status == 303 && response.headers["location"]?.hasPrefix("/login") == true, "\(path)")
    }
    #expect(try hub.get("/?tag=a%20%26%20b").headers["location"] == "/login?back=%2F%3Ftag%3Da%2520%2526%2520b")
    #expect(try hub.get("/login?back=%2Fstatus").text.contains("name=\"back\" value=\"/status\""))
  }

  @Test("Whoever is not logged in changes nothing")
  func anonymousForms() throws {
    for route in HubRoute.pages where route.access != .open && route.method == .post {
      let path = route.path.split(separator: "/").map { $0.hasPrefix("{") ? "/x" : "/\($0)" }.joined()
      let response = try post(path, "video=dQw4w9WgXcQ&action=save")
      #expect(response.status == 303 && response.headers["location"] == "/login", "\(path): \(response.status)")
    }
  }

  @Test("A wrong name and a wrong password get the same message")
  func wrong() throws {
    for fields in ["name=ann&password=wrong", "name=bob&password=wrong", "name=%3Cb%3E&password=x", ""] {
      let response = try post("/login", fields)
      #expect(response.status == 403 && response.text.contains("Wrong name or password."), "\(fields)")
      #expect(!response.text.contains("<b>\"") && response.headers["set-cookie"] == nil)
    }
    #expect(try post("/login", "name=ann&password=correct+horse&back=%2F%2Fevil").headers["location"] == "/")
  }

  @Test("The session shows the page, and ends with a form")
  func session() throws {
    let cookie = try cookie()
    let page = try hub.get("/", cookie)
    #expect(page.status == 200 && page.text.contains("data-user=\"ann\""))
    #expect(try hub.get("/login", cookie).status == 303)
    let out = try post("/logout", "", cookie)
    #expect(out.headers["location"] == "/login" && out.headers["set-cookie"]?.contains("Max-Age=0") == true)
    #expect(try hub.get("/", cookie).status == 303)
  }

  @Test("A token is made, shown once with the addresses of its feeds, and revoked")
  func tokens() throws {
    let cookie = try cookie()
    let made = try post("/settings/tokens", "action=add&name=My+reader&scope=read", cookie)
    #expect(made.status == 200 && made.headers["cache-control"] == "no-store", "\(made.text)")
    let address = try #require(
      made.text.split(separator: "href=\"http://\(hub.host)").dropFirst().map { String($0.prefix { $0 != "\"" }) }
        .first { $0.hasPrefix("/feeds/atom?tag=a%20%26%20b") })
    let path = address.split(separator: "&amp;").joined(separator: "&")
    #expect(try hub.get(path).status == 200)
    let page = try hub.get("/settings", cookie).text
    #expect(page.contains("My reader") && !page.contains("mth_"))
    let id = String(try #require(page.split(separator: "name=\"token\" value=\"").last).prefix { $0 != "\"" })
    #expect(try post("/settings/tokens", "action=revoke&token=\(id)", cookie).status == 303)
    #expect(try hub.get(path).status == 401)
  }

  @Test("The password is changed in the settings by a user who knows the current one, and tokens there may write")
  func ownPassword() throws {
    let (cookie, other) = (try cookie(), try cookie())
    let page = try hub.get("/settings", cookie).text
    #expect(page.contains("action=\"/settings/password\"") && page.contains("<option value=\"write\" selected>"))
    func change(_ current: String, _ repeated: String) throws -> HubResponse {
      try post("/settings/password", "current=\(current)&password=another+horse&repeated=\(repeated)", cookie)
    }
    let differing = try change("correct+horse", "other+horse")
    #expect(differing.status == 422 && differing.text.contains("the new passwords differ"))
    let wrong = try change("wrong+horse", "another+horse")
    #expect(wrong.status == 403 && wrong.text.contains("the current password is wrong"))
    let done = try change("correct+horse", "another+horse")
    #expect(done.status == 200 && done.text.contains("The password is changed"), "\(done.text)")
    #expect(try hub.get("/settings", cookie).status == 200)
    #expect(try hub.get("/settings", other).status == 303)
    #expect(try post("/login", "name=ann&password=another+horse").status == 303)
  }

  @Test("A token that may only read sees the page and changes nothing")
  func readToken() throws {
    let made = try post("/settings/tokens", "action=add&name=x&scope=read", try cookie()).text
    let secret = "mth_" + (try #require(made.split(separator: "mth_").dropFirst().first)).prefix { $0 != "<" }
    #expect(try hub.get("/", "Authorization: Bearer \(secret)").status == 200)
    let response = try post("/follow", "source=@other", "Authorization: Bearer \(secret)")
    #expect(response.status == 403)
  }
}
