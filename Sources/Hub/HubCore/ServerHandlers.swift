/// The handlers of the routes that the server handles itself, because they need more than a log. The table of routes
/// names the handler of each; a conforming value is one request that was let in.
package protocol ServerHandlers: Sendable {
  // MARK: The hub

  func health() async throws -> ServerResponse
  func metrics() async throws -> ServerResponse
  func openAPI() async throws -> ServerResponse
  func poll() async throws -> ServerResponse
  func events() async throws -> ServerResponse
  func verifyPush() async throws -> ServerResponse
  func takePush() async throws -> ServerResponse

  // MARK: Accounts

  func logIn() async throws -> ServerResponse
  func logInReader() async throws -> ServerResponse
  func logInApp() async throws -> ServerResponse
  func webUser() async throws -> ServerResponse
  func webUsers() async throws -> ServerResponse
  func openWebUsers() async throws -> ServerResponse
  func logOut() async throws -> ServerResponse
  func whoAmI() async throws -> ServerResponse
  func setPassword() async throws -> ServerResponse
  func listSessions() async throws -> ServerResponse
  func endSession() async throws -> ServerResponse
  func endOtherSessions() async throws -> ServerResponse
  func listTokens() async throws -> ServerResponse
  func addToken() async throws -> ServerResponse
  func revokeToken() async throws -> ServerResponse
  func pair() async throws -> ServerResponse

  // MARK: The page

  /// What is the same for all clients, apart from what it depends on in the query.
  func constant(_ respond: (_ query: [(name: String, value: String)]) -> RouteResponse) -> ServerResponse
  func setupView() async throws -> ServerResponse
  func setupForm() async throws -> ServerResponse
  func logInView() async throws -> ServerResponse
  func logInForm() async throws -> ServerResponse
  func logOutForm() async throws -> ServerResponse
  func pollForm() async throws -> ServerResponse
  func settingsView() async throws -> ServerResponse
  func tokenForm() async throws -> ServerResponse
  func sessionForm() async throws -> ServerResponse
  func passwordForm() async throws -> ServerResponse
  func googleView() async throws -> ServerResponse
  func googleForm() async throws -> ServerResponse
  func googleReturn() async throws -> ServerResponse
  func starterForm() async throws -> ServerResponse

  // MARK: Users

  func profileForm() async throws -> ServerResponse
  func usersView() async throws -> ServerResponse
  func addUserForm() async throws -> ServerResponse
  func userView() async throws -> ServerResponse
  func userForm() async throws -> ServerResponse
  func switchView() async throws -> ServerResponse
  func switchForm() async throws -> ServerResponse
  func joinView() async throws -> ServerResponse
  func joinForm() async throws -> ServerResponse
  func offlineView() async throws -> ServerResponse
}

/// The response of a handler of the server.
package enum ServerResponse: Sendable {
  case response(RouteResponse)
  /// What is the same for all clients as long as the process runs.
  case constant(RouteResponse)
  /// A response that may be long. It is made again if it had to wait until others were sent, unless the request changes
  /// something.
  case long(@Sendable () async throws -> RouteResponse)
  /// A response without an end, which the closure writes piece by piece.
  case stream(type: String, @Sendable (_ write: (String) async throws -> Void) async throws -> Void)
}
