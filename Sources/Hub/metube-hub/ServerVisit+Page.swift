import HubCore
import HubGoogle
import HubHTTP
import HubPage
import HubWeb
import Hummingbird

/// The files of the page, and those of its views and forms that need more than a log.
extension ServerVisit {
  func constant(_ respond: (_ query: [(name: String, value: String)]) -> RouteResponse) -> ServerResponse {
    .constant(respond(found.query))
  }

  func setupView() async throws -> ServerResponse { try await page { $0.setupView } }
  func setupForm() async throws -> ServerResponse { try await page { try await $0.setUp() } }
  func logInView() async throws -> ServerResponse { try await page { $0.logInView } }
  func logInForm() async throws -> ServerResponse { try await page { try await $0.logIn() } }
  func logOutForm() async throws -> ServerResponse { try await page { try await $0.logOut() } }
  func pollForm() async throws -> ServerResponse { try await page { try await $0.poll() } }
  func settingsView() async throws -> ServerResponse { try await page { try await $0.settings() } }
  func tokenForm() async throws -> ServerResponse { try await page { try await $0.changeTokens() } }
  func sessionForm() async throws -> ServerResponse { try await page { try await $0.endSessions() } }
  func passwordForm() async throws -> ServerResponse { try await page { try await $0.setPassword() } }
  func googleView() async throws -> ServerResponse { try await page { try await $0.google.view() } }
  func googleForm() async throws -> ServerResponse { try await page { try await $0.google.form() } }
  func googleReturn() async throws -> ServerResponse { try await page { try await $0.google.comeBack() } }
  func profileForm() async throws -> ServerResponse { try await page { try await $0.setProfile() } }
  func usersView() async throws -> ServerResponse { try await page { try await $0.usersView() } }
  func addUserForm() async throws -> ServerResponse { try await page { try await $0.addUser() } }
  func userView() async throws -> ServerResponse { try await page { try await $0.userView() } }
  func userForm() async throws -> ServerResponse { try await page { try await $0.changeUser() } }
  func switchView() async throws -> ServerResponse { try await page { try await $0.switchView() } }
  func switchForm() async throws -> ServerResponse { try await page { try await $0.switchUser() } }
  func joinView() async throws -> ServerResponse { try await page { $0.joinView } }
  func joinForm() async throws -> ServerResponse { try await page { try await $0.join() } }
  func starterForm() async throws -> ServerResponse { try await page { try await $0.followStarterList() } }
  func offlineView() async throws -> ServerResponse { try await page { $0.offline } }

  /// Reads the form of a request, if it has one, and has `make` answer it.
  private func page(_ make: @escaping @Sendable (PageServer) async throws -> RouteResponse) async throws
    -> ServerResponse
  {
    let query = RequestTarget(request.head.path ?? "")?.query ?? []
    var call = HubCall(parts: found.parts, query: query, body: [], file: nil, url: "")
    (call.page, call.user) = (hub.page, visitor.user ?? "")
    if request.method == .post {
      let maximum = BodyLimits.maxBytes(route.access)
      call.form = try await RequestBodyReader(request, timeout: hub.timeout, maximum: maximum).form()
    }
    let server = PageServer(visit: self, call: call)
    return .long { try await make(server) }
  }
}
