import App
import Core
import HubCore
import HubLimits
import HubStore
import Messages
import Platform
import PollEngine
import YouTube

/// The daily synchronisation.
extension GoogleDesk {
  /// Synchronises accounts as they become due, until it is ended: some at once, so that none waits for one that hangs.
  package func run() async {
    let ticks = Task {
      while !Task.isCancelled {
        wake()
        try await Task.sleep(for: .seconds(60))
      }
    }
    await withDiscardingTaskGroup { group in
      for await _ in wakes {
        // An obstacle is reported to requests; accounts are looked for again within a minute.
        guard (try? await hasUsers()) ?? false else { continue }
        let due = try? await tables { try $0.due(now: GoogleDesk.now, maximum: 2 * GoogleDesk.maxSyncs) }
        for user in due ?? [] where starts(user) {
          group.addTask {
            await self.sync(user)
            self.ended(user)
          }
        }
      }
    }
    ticks.cancel()
  }

  /// Ends what `run` does; what is under way is finished.
  package func end() { endWakes() }

  /// Has a user's account synchronised soon.
  package func hurry(_ user: String) async throws {
    try await tables(of: user) { try $0.hurry(user, now: GoogleDesk.now) }
    wake()
  }

  /// How long the requests of one may take, milliseconds, and all of it, seconds, before another process may begin one.
  private static let requestTime = 60_000
  static let claimSeconds: Int64 = 600

  /// What became of the requests.
  private enum Fetched: Sendable {
    case listing(AccountListing)
    /// Google no longer accepts the login.
    case withdrawn
    /// The list could not be fetched, with the reason.
    case failed(String)
    /// Nothing was requested, as the day's requests are used up.
    case usedUp(String)
  }

  /// Synchronises the account of a user, unless that is under way.
  private func sync(_ user: String) async {
    do {
      let account = try await tables(of: user) {
        try $0.claim(user, seconds: GoogleDesk.claimSeconds, now: GoogleDesk.now)
      }
      guard let account else { return }
      let memory = AccountMemory(json: Array(account.memory.utf8))
      let fetched: Fetched =
        account.isWithdrawn
        ? .withdrawn : try await GoogleDesk.syncThreads.run { self.fetch(account, knowing: memory.own) }
      try await finish(account, memory, fetched)
    } catch { StandardError.report("google: the account of \(user) was not synchronised: \(error)") }
  }

  /// Requests the list. Blocks.
  private func fetch(_ account: GoogleTables.Account, knowing own: ChannelID?) -> Fetched {
    let login: GoogleAccount
    let api: APISession
    do {
      let (client, settings) = try client()
      let key = try key()
      let token = try key.open(account.sealed, .googleToken)
      login = GoogleAccount(client, try FormSender(settings), refresh: token) { [accounts] _, refresh in
        guard refresh != token else { return }
        try accounts.use(where: { _ in true }) {
          try GoogleTables($0).keep(account.id, sealed: key.seal(refresh, .googleToken))
        }
      }
      let terms = try APISettings(login, settings)
      let units = GoogleUnits(accounts: accounts, user: account.user, budget: terms.budget)
      api = try APISession(terms, settings, units: units, deadline: Clock.steady() + GoogleDesk.requestTime)
    } catch let problem as HubProblem { return .failed(problem.detail) } catch is SecretKey.Failure {
      StandardError.report("google: \(keyFile.path): the login of \(account.user) was encrypted with another key")
      return .failed("the login was encrypted with another key; restore that key, or sign in again")
    } catch {
      StandardError.report("google: \(error)")
      return .failed("the hub’s settings are invalid")
    }
    do { return .listing(try AccountListing.read(api, knowing: own)) } catch let refusal as APIRefusal {
      if case .budget = refusal { return .usedUp(GoogleMessages.text(refusal)) }
      return GoogleMessages.isOfLogin(refusal) ? .withdrawn : .failed(GoogleMessages.text(refusal))
    } catch {
      guard let failure = login.failure else { return .failed("Google did not respond") }
      GoogleMessages.report(failure)
      return failure == .withdrawn ? .withdrawn : .failed(GoogleMessages.problem(failure).detail)
    }
  }

  /// Applies a list to the log, and keeps what became of it.
  private func finish(
    _ account: GoogleTables.Account, _ memory: AccountMemory, _ fetched: Fetched
  ) async throws {
    var (memory, failures) = (memory, account.failures)
    let now = GoogleDesk.now
    var due = now + AccountSync.interval + Int64.random(in: 0...1800)
    func fail(_ reason: String, isNew: Bool) {
      failures = account.failures + (isNew ? 1 : 0)
      due = now + AccountSync.wait(after: failures)
      memory.last = AccountMemory.Report(at: Timestamp(seconds: now), failure: reason)
    }
    switch fetched {
    case .listing(let listing):
      // Disconnected meanwhile, it says nothing any more.
      guard try await tables(of: account.user, { try $0.account(of: account.user)?.id }) == account.id else { return }
      do {
        let before = memory
        memory = try await change(account.user) { service in
          var memory = before
          try AccountSync(service.session).run(listing, &memory)
          return memory
        }
        failures = 0
      } catch { fail(GoogleDesk.text(error), isNew: true) }
    case .withdrawn:
      let kept = memory
      return try await tables(of: account.user) { try $0.withdraw(account.id, memory: kept.text) }
    case .failed(let reason): fail(reason, isNew: true)
    // However often it is tried meanwhile, the next one is no later.
    case .usedUp(let reason): fail(reason, isNew: account.failures == 0)
    }
    let (kept, next, count) = (memory, due, failures)
    try await tables(of: account.user) { try $0.finish(account.id, memory: kept.text, due: next, failures: count) }
  }

  /// Why a log was not changed.
  private static func text(_ error: any Error) -> String {
    if let problem = error as? HubProblem { return problem.detail }
    StandardError.report("google: \((error as? Failure)?.message ?? "\(error)")")
    return "your log cannot be changed now"
  }

  // MARK: The question

  /// Replies to the question that the user was shown, which `mark` distinguishes from a later one; returns the action
  /// that did it, nil if nothing changed.
  package func reply(_ user: String, isYes: Bool, mark: String) async throws -> EventID? {
    let account = try await tables(of: user) {
      try $0.claim(user, seconds: GoogleDesk.claimSeconds, now: GoogleDesk.now)
    }
    guard let account else {
      let isConnected = try await tables(of: user) { try $0.account(of: user) } != nil
      let reason =
        isConnected ? "The account is being synchronised; look again in a moment." : "No account is connected."
      throw HubProblem(409, reason)
    }
    var memory = AccountMemory(json: Array(account.memory.utf8))
    let before = memory
    var problem: (any Error)?
    if let question = memory.question, question.mark == mark {
      do {
        memory = try await change(user) { service in
          var memory = before
          try AccountSync(service.session).reply(isYes, &memory)
          return memory
        }
      } catch { problem = error }
    } else {
      problem = HubProblem(409, "YouTube’s list has changed since; look at the question again.")
    }
    let kept = memory
    try await tables(of: user) {
      try $0.finish(account.id, memory: kept.text, due: account.due, failures: account.failures)
    }
    if let problem { throw problem }
    return memory.last?.action == before.last?.action ? nil : memory.last?.action
  }
}

extension AccountMemory {
  /// As it is kept.
  fileprivate var text: String { String(decoding: json, as: UTF8.self) }
}

extension AccountMemory.Question {
  /// What distinguishes it from another one.
  package var mark: String {
    Secrets.digest(channels.map(\.description).joined(separator: " ")).prefix(8).map { String($0) }.joined(
      separator: "-")
  }
}
