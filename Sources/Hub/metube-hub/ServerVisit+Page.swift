import HubCore
import HubGoogle
import HubHTTP
import HubPage
import HubWeb
import Hummingbird

/// The files of the page, and those of its views and forms that need more than a log.
extension ServerVisit {
  func constant(_ answer: (_ query: [(name: String, value: String)]) -> HubAnswer) -> ServerAnswer {
    .constant(answer(found.query))
  }

  func setupView() async throws -> ServerAnswer { try await page { $0.setupView } }
  func setupForm() async throws -> ServerAnswer { try await page { try await $0.setUp() } }
  func logInView() async throws -> ServerAnswer { try await page { $0.logInView } }
  func logInForm() async throws -> ServerAnswer { try await page { try await $0.logIn() } }
  func logOutForm() async throws -> ServerAnswer { try await page { try await $0.logOut() } }
  func pollForm() async throws -> ServerAnswer { try await page { try await $0.poll() } }
  func settingsView() async throws -> ServerAnswer { try await page { try await $0.settings() } }
  func tokenForm() async throws -> ServerAnswer { try await page { try await $0.changeTokens() } }
  func sessionForm() async throws -> ServerAnswer { try await page { try await $0.endSessions() } }
  func passwordForm() async throws -> ServerAnswer { try await page { try await $0.setPassword() } }
  func googleView() async throws -> ServerAnswer { try await page { try await $0.google.view() } }
  func googleForm() async throws -> ServerAnswer { try await page { try await $0.google.form() } }
  func googleReturn() async throws -> ServerAnswer { try await page { try await $0.google.comeBack() } }
  func profileForm() async throws -> ServerAnswer { try await page { try await $0.setProfile() } }
  func usersView() async throws -> ServerAnswer { try await page { try await $0.usersView() } }
  func addUserForm() async throws -> ServerAnswer { try await page { try await $0.addUser() } }
  func userView() async throws -> ServerAnswer { try await page { try await $0.userView() } }
  func userForm() async throws -> ServerAnswer { try await page { try await $0.changeUser() } }
  func switchView() async throws -> ServerAnswer { try await page { try await $0.switchView() } }
  func switchForm() async throws -> ServerAnswer { try await page { try await $0.switchUser() } }
  func joinView() async throws -> ServerAnswer { try await page { $0.joinView } }
  func joinForm() async throws -> ServerAnswer { try await page { try await $0.join() } }
  func starterForm() async throws -> ServerAnswer { try await page { try await $0.followStarterList() } }
  func offlineView() async throws -> ServerAnswer { try await page { $0.offline } }

  /// Reads the form of a request, if it has one, and has `make` answer it.
  private func page(_ make: @escaping @Sendable (PageServer) async throws -> HubAnswer) async throws -> ServerAnswer {
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
