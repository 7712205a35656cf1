/// The handlers of the routes that the server answers itself, because they need more than a log. The table of routes names
/// the handler of each; a conforming value is one request that was let in.
package protocol ServerHandlers: Sendable {
  // MARK: The hub

  func health() async throws -> ServerAnswer
  func metrics() async throws -> ServerAnswer
  func openAPI() async throws -> ServerAnswer
  func poll() async throws -> ServerAnswer
  func events() async throws -> ServerAnswer
  func verifyPush() async throws -> ServerAnswer
  func takePush() async throws -> ServerAnswer

  // MARK: Accounts

  func logIn() async throws -> ServerAnswer
  func logInReader() async throws -> ServerAnswer
  func logInApp() async throws -> ServerAnswer
  func webUser() async throws -> ServerAnswer
  func webUsers() async throws -> ServerAnswer
  func openWebUsers() async throws -> ServerAnswer
  func logOut() async throws -> ServerAnswer
  func whoAmI() async throws -> ServerAnswer
  func setPassword() async throws -> ServerAnswer
  func listSessions() async throws -> ServerAnswer
  func endSession() async throws -> ServerAnswer
  func endOtherSessions() async throws -> ServerAnswer
  func listTokens() async throws -> ServerAnswer
  func addToken() async throws -> ServerAnswer
  func revokeToken() async throws -> ServerAnswer
  func pair() async throws -> ServerAnswer

  // MARK: The page

  /// What is the same for all clients, apart from what it depends on in the query.
  func constant(_ answer: (_ query: [(name: String, value: String)]) -> HubAnswer) -> ServerAnswer
  func setupView() async throws -> ServerAnswer
  func setupForm() async throws -> ServerAnswer
  func logInView() async throws -> ServerAnswer
  func logInForm() async throws -> ServerAnswer
  func logOutForm() async throws -> ServerAnswer
  func pollForm() async throws -> ServerAnswer
  func settingsView() async throws -> ServerAnswer
  func tokenForm() async throws -> ServerAnswer
  func sessionForm() async throws -> ServerAnswer
  func passwordForm() async throws -> ServerAnswer
  func googleView() async throws -> ServerAnswer
  func googleForm() async throws -> ServerAnswer
  func googleReturn() async throws -> ServerAnswer
  func starterForm() async throws -> ServerAnswer

  // MARK: Users

  func profileForm() async throws -> ServerAnswer
  func usersView() async throws -> ServerAnswer
  func addUserForm() async throws -> ServerAnswer
  func userView() async throws -> ServerAnswer
  func userForm() async throws -> ServerAnswer
  func switchView() async throws -> ServerAnswer
  func switchForm() async throws -> ServerAnswer
  func joinView() async throws -> ServerAnswer
  func joinForm() async throws -> ServerAnswer
  func offlineView() async throws -> ServerAnswer
}

/// What a handler of the server answers.
package enum ServerAnswer: Sendable {
  case answer(HubAnswer)
  /// What is the same for all clients as long as the process runs.
  case constant(HubAnswer)
  /// An answer that may be long. It is made again if it had to wait until others were sent, unless the request changes
  /// something.
  case long(@Sendable () async throws -> HubAnswer)
  /// A response without an end, of which the closure writes a piece after the other.
  case stream(type: String, @Sendable (_ write: (String) async throws -> Void) async throws -> Void)
}
