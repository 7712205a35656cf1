import Arguments
import HubLimits
import HubStore
import ServiceLifecycle
import Synchronization

/// Whether the hub waits for its first user. Until there is one it serves only what makes one, by a code that this
/// writes to standard error, where the operator reads it; `metube-hub setup` makes one too.
///
/// All processes of a hub share one code. Only its digest is stored, so a process that starts makes a new one, and those
/// that wait already report that theirs is void.
final class FirstUser: Service {
  private let accounts: ConnectionPool<Accounts>
  private let isMissing: Mutex<Bool>
  private let report: @Sendable (String) -> Void
  private let state = Mutex(State())
  /// The URL of the page, once the hub listens.
  private let starts: AsyncStream<String>
  private let start: AsyncStream<String>.Continuation

  private struct State {
    /// The digest of the code that is valid, as this process knows it.
    var digest: [UInt8]?
    /// When this process found it void; nil while it is valid.
    var voided: ContinuousClock.Instant?
    /// Whether it was reported that the accounts cannot be read.
    var hasFailed = false
  }

  /// What a look at the accounts found.
  private enum Look {
    case over, unchanged
    case made(code: String, digest: [UInt8])
    case replaced(digest: [UInt8])
    case voided
  }

  init(
    _ accounts: ConnectionPool<Accounts>, isMissing: Bool, report: @escaping @Sendable (String) -> Void = Program.report
  ) {
    (self.accounts, self.report) = (accounts, report)
    self.isMissing = Mutex(isMissing)
    (starts, start) = AsyncStream.makeStream()
  }

  /// Whether the hub waits for its first user. Once it does not, it never does again.
  var isAwaited: Bool { isMissing.withLock { $0 } }

  /// Notes that there is a user.
  func arrive() { isMissing.withLock { $0 = false } }

  /// Says that the hub listens; `page` is the URL of the page at which the first user is made.
  func started(at page: String) { start.yield(page) }

  /// Looks once a second whether there is a user, made by whatever process, and reports the code.
  func run() async throws {
    await cancelWhenGracefulShutdown {
      guard self.isAwaited, let page = await self.starts.first(where: { _ in true }) else { return }
      while !Task.isCancelled, self.isAwaited {
        await self.look(page)
        // Cancelled, the program ends.
        try? await Task.sleep(for: FirstUser.interval)
      }
    }
    // The end of any service ends the program.
    try? await gracefulShutdown()
  }

  /// Waits until there is a user, or until the task is cancelled.
  func wait() async {
    while isAwaited, !Task.isCancelled { try? await Task.sleep(for: FirstUser.interval / 5) }
  }

  private static let interval = Duration.seconds(1)
  /// How long no code is valid after too many wrong ones. The process measures it: clocks may be set.
  private static let rest = Duration.seconds(600)

  private func look(_ page: String) async {
    let (digest, voided) = state.withLock { ($0.digest, $0.voided) }
    let hasRested = voided.map { ContinuousClock.now - $0 >= FirstUser.rest } ?? false
    do {
      let found = try await accounts.run(on: HubThreads.accounts) { accounts in
        try FirstUser.look(accounts, knowing: digest, wasVoid: voided != nil, hasRested: hasRested)
      }
      state.withLock { $0.hasFailed = false }
      take(found, page)
    } catch {
      let isFirst = state.withLock { state in
        defer { state.hasFailed = true }
        return !state.hasFailed
      }
      if isFirst { report("the first user cannot be made at present: \(Program.message(of: error))") }
    }
  }

  private static func look(
    _ accounts: Accounts, knowing digest: [UInt8]?, wasVoid: Bool, hasRested: Bool
  ) throws -> Look {
    func made(insteadOf old: [UInt8]?) throws -> Look {
      try accounts.makeSetupCode(insteadOf: old).map { .made(code: $0.code, digest: $0.digest) } ?? .unchanged
    }
    let setup = try accounts.setup()
    if setup.isOver { return .over }
    guard let digest else { return try made(insteadOf: nil) }
    guard setup.digest == digest else { return .replaced(digest: setup.digest) }
    guard setup.isVoid else { return .unchanged }
    guard wasVoid else { return .voided }
    return hasRested ? try made(insteadOf: digest) : .unchanged
  }

  private func take(_ found: Look, _ page: String) {
    switch found {
    case .unchanged: break
    case .over:
      arrive()
      report("the first user was made; the hub serves from now on")
    case .made(let code, let digest):
      state.withLock { $0 = State(digest: digest) }
      report("Set up the first user at \(page) with the code \(Secrets.grouped(code))")
    case .replaced(let digest):
      state.withLock { $0 = State(digest: digest) }
      report("another process of this hub made a new code for the first user and reported it; the one before is void")
    case .voided:
      state.withLock { $0.voided = .now }
      report(
        "\(Accounts.maxWrongCodes) wrong codes: the code for the first user is void; a new one follows here in "
          + "\(FirstUser.rest.components.seconds / 60) minutes, or when the hub is started again")
    }
  }
}

/// A service that begins when the hub has its first user.
struct AfterFirstUser: Service {
  let firstUser: FirstUser
  let service: any Service

  func run() async throws {
    await cancelWhenGracefulShutdown { await firstUser.wait() }
    // Otherwise the program ends.
    if !firstUser.isAwaited { try await service.run() }
  }
}
