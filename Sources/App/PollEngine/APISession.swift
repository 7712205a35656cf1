import App
import Core
import EventLog
import HTTPClient
import Messages
import Platform
import YouTube

/// Why a Data API request failed.
package enum APIRefusal: Error {
  case api(APIFailure)
  /// A refusal of the key that another process received before, and reported.
  case known(APIFailure)
  /// No response; the payload is the message for the user.
  case network(String)
  /// The daily budget is used up.
  case budget
  /// The request costs more units than the daily budget has left.
  case tooCostly(cost: Int, left: Int)
  /// The deadline passed or the user interrupted.
  case ended
}

/// Sends Data API requests one at a time, within the daily budget.
package final class APISession {
  private let settings: APISettings
  private let fetcher: HTTPSession
  private let interrupt = Interrupt()
  /// When to stop sending requests, on the monotonic clock.
  package var deadline: Int?
  /// Where the state is kept; nil if the units are counted elsewhere and there is nothing else to keep.
  private let workspace: (any Workspace)?
  /// The API state; the caller persists it with `save`. It has no units if processes share them.
  var memory: APIState
  /// The units that processes share; nil if the state counts them.
  private let table: (any SharedUnits)?
  /// Whether a rejected access token was replaced; one is enough.
  private var isRenewed = false
  /// The units of the requests sent.
  package private(set) var units = 0
  /// With a database, whether the last request took the last unit of the day's budget.
  package private(set) var tookLast = false

  /// A session that continues from the stored state; `deadline` is on the monotonic clock.
  package init(_ settings: APISettings, _ session: Session, deadline: Int?) throws {
    self.settings = settings
    self.deadline = deadline
    workspace = session.workspace
    table = settings.table(in: session)
    memory = session.workspace.apiState()
    fetcher = try HTTPSession(session.settings, jobs: 1)
  }

  /// A session apart from any log, whose units `units` counts.
  package init(
    _ settings: APISettings, _ network: Settings, units table: any SharedUnits, deadline: Int?
  ) throws {
    self.settings = settings
    self.deadline = deadline
    workspace = nil
    self.table = table
    memory = APIState()
    fetcher = try HTTPSession(network, jobs: 1)
  }

  /// The units left in today's budget; with a database also 0 while a refused key is not used.
  package var left: Int { get throws { try table?.left() ?? memory.left(of: settings.budget, at: Clock.now()) } }

  /// What `read` finds in the response to one request, whose units count even if it fails. Throws `APIRefusal`.
  package func ask<Facts>(_ apiRequest: APIRequest, _ read: ([UInt8]) throws(APIFailure) -> Facts) throws -> Facts {
    let body = try ask(apiRequest)
    do { return try read(body) } catch { throw APIRefusal.api(error) }
  }

  private func ask(_ apiRequest: APIRequest) throws -> [UInt8] {
    let cost = apiRequest.cost
    // Server errors are repeated after these times, milliseconds; not if that costs more than the price that was shown.
    var pauses = cost == 1 ? [1000, 2000][...] : []
    while true {
      if isToEnd { throw APIRefusal.ended }
      // A request that lacks its token is not sent and costs nothing.
      if table == nil { try checkLeft(for: cost) }
      let credential = try settings.credential.header()
      try takeUnits(cost)
      units += cost
      let response: HTTPResponse
      switch try fetch(apiRequest, credential) {
      case .failure(.aborted): throw APIRefusal.ended
      case .failure(let failure) where !failure.mayBeSent:
        try returnUnits(cost)
        throw APIRefusal.network(UserMessages.fetch(failure))
      case .failure(let failure): throw APIRefusal.network(UserMessages.fetch(failure))
      case .success(let received): response = received
      }
      if response.status == 200 {
        try table?.noteAccepted()
        return response.body
      }
      if response.status >= 500, let pause = pauses.popFirst() {
        guard interrupt.waits(milliseconds: pause + .random(in: 0...500)) else { throw APIRefusal.ended }
        continue
      }
      // An access token may be revoked before it expires; then the refresh token shows whether the login is.
      if response.status == 401, case .account(let account) = settings.credential, account.forgetToken(), !isRenewed {
        isRenewed = true
        continue
      }
      let failure = APIFailure(status: response.status, body: response.body)
      if failure == .quotaExceeded { memory.noteExhausted(at: Clock.now()) }
      // What is wrong with one account says nothing of the others.
      if case .account = settings.credential, failure != .quotaExceeded { throw APIRefusal.api(failure) }
      throw try table?.note(failure) ?? true ? APIRefusal.api(failure) : .known(failure)
    }
  }

  /// Takes the units of a request that is about to be sent; throws `APIRefusal` if they are not left.
  private func takeUnits(_ cost: Int) throws {
    guard let table else {
      guard memory.takeUnits(cost, of: settings.budget, at: Clock.now()) else { throw APIRefusal.budget }
      return
    }
    switch try table.takeUnits(cost) {
    case .taken(let left): tookLast = left == 0
    case .none:
      try checkLeft(for: cost)
      throw APIRefusal.budget
    case .refused(let failure): throw APIRefusal.known(failure)
    }
  }

  /// Throws `APIRefusal` if a request costs more than today's budget has left.
  private func checkLeft(for cost: Int) throws {
    let left = try left
    if left == 0 { throw APIRefusal.budget }
    if left < cost { throw APIRefusal.tooCostly(cost: cost, left: left) }
  }

  /// Gives back the units of a request that never left this machine, or reached no server.
  private func returnUnits(_ cost: Int) throws {
    units -= cost
    tookLast = false
    if let table { try table.returnUnits(cost) } else { memory.returnUnits(cost, at: Clock.now()) }
  }

  private var isToEnd: Bool { interrupt.isSignalled() || deadline.map { Clock.steady() >= $0 } ?? false }

  /// Runs `body`, persists the state, and returns the failure of the request that ended it early; nil if none did.
  package func attempt(_ body: () throws -> Void) throws -> Failure? {
    var failure: Failure?
    do { try body() } catch let refusal as APIRefusal { failure = self.failure(refusal) } catch {
      // What ended it counts, not that the units could not be saved too.
      try? save()
      throw error
    }
    try save()
    return failure
  }

  /// A refusal as a message.
  package func failure(_ refusal: APIRefusal) -> Failure {
    if case .api(.badKey(let reason)) = refusal, case .account = settings.credential {
      return Failure(PollError.apiLogin(reason: reason))
    }
    return Failure(PollError.api(refusal, budget: settings.budget, at: Clock.now()))
  }

  /// Persists the state.
  func save() throws { try workspace?.keep(memory) }

  private func fetch(_ apiRequest: APIRequest, _ credential: String) throws -> Result<HTTPResponse, HTTPFailure> {
    var request = HTTPRequest(tag: 0, url: settings.url + apiRequest.target, maxBodyBytes: APISession.bodyLimit)
    // A redirect could take the key to another host.
    request.followsRedirects = false
    request.headers = [credential, "Accept: application/json"]
    return try fetcher.result(of: request, interrupt, until: deadline)
  }

  /// The maximum response size in bytes; 50 entries with 5,000-character descriptions take at most 1.5 MB.
  private static let bodyLimit = 4 << 20
}

/// Data API settings.
package struct APISettings {
  /// The credential of requests. Sent in a header, never logged or shown.
  enum Credential {
    /// The user's API key.
    case key(String)
    case account(GoogleAccount)

    fileprivate func header() throws -> String {
      switch self {
      case .key(let key): "X-Goog-Api-Key: \(key)"
      case .account(let account): "Authorization: Bearer \(try account.token())"
      }
    }
  }

  let credential: Credential
  /// Scheme, host and port.
  let url: String
  /// The maximum units per day.
  package let budget: Int

  /// The units used and left of the day's budget, for what works on a session's log; with a database, those of all its
  /// processes.
  package func units(in session: Session) throws -> (used: Int, left: Int) {
    if let table = table(in: session) { return (try table.used(), try table.left()) }
    let memory = session.workspace.apiState()
    return (memory.used(at: session.now), memory.left(of: budget, at: session.now))
  }

  /// Why requests with the key pause for all processes of a database, and until when; nil if they do not.
  func pause(in session: Session) throws -> (why: APIFailure, until: Timestamp)? { try table(in: session)?.pause() }

  /// The units of the key that the processes of a session's workspace share; nil if this machine counts its own.
  fileprivate func table(in session: Session) -> (any SharedUnits)? {
    guard case .key(let key) = credential else { return nil }
    return session.workspace.sharedUnits(ofKey: key, budget: budget)
  }

  /// The settings; nil without a key. Throws on an invalid setting.
  package init?(_ settings: Settings) throws {
    guard let key = settings["API_KEY"].map({ String($0.withoutBlanks) }), !key.isEmpty else { return nil }
    guard key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Failure(SettingError.apiKey)
    }
    try self.init(.key(key), settings)
  }

  /// Those of a Google account. Throws on an invalid setting.
  package init(_ account: GoogleAccount, _ settings: Settings) throws { try self.init(.account(account), settings) }

  private init(_ credential: Credential, _ settings: Settings) throws {
    self.credential = credential
    url = try settings.apiURL()
    budget = try APISettings.budget(settings["API_BUDGET"])
  }

  private static func budget(_ setting: String?) throws -> Int {
    guard let setting else { return APIState.usualBudget }
    guard let budget = Int(setting), budget >= 0 else {
      throw Failure(SettingError.apiBudget(setting))
    }
    return budget
  }
}
