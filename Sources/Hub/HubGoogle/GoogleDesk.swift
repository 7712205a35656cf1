import App
import Core
import Glibc
import HubCore
import HubLimits
import HubStore
import Platform
import PollEngine
import Synchronization
import YouTube

/// The Google accounts of the hub's users: logins, and the daily synchronisation of subscriptions.
///
/// Requests to Google block, and have threads of their own: no other user waits for an account that hangs.
package final class GoogleDesk: Sendable {
  /// Changes the log of a user with what is kept of the account.
  package typealias Change =
    @Sendable (_ user: String, _ body: @escaping @Sendable (HubService) throws -> AccountMemory) async throws ->
    AccountMemory

  let location: HubLocation
  let accounts: ConnectionPool<Accounts>
  /// Where Google leads back to; nil without a public URL: then a login is by a code that the person types.
  let redirect: String?
  let keyFile: SecretKeyFile
  let change: Change
  /// Whether the hub has users; without any it has no file of accounts either.
  let hasUsers: @Sendable () async throws -> Bool
  let wakes: AsyncStream<Void>
  private let wakener: AsyncStream<Void>.Continuation
  /// Whose accounts this process is synchronising.
  private let running = Mutex<Set<String>>([])

  /// `address` is the hub's URL as others use it; `keyPath` that of the key, nil for the usual one.
  package init(
    _ location: HubLocation, _ accounts: ConnectionPool<Accounts>, address: String?, keyPath: String?,
    hasUsers: @escaping @Sendable () async throws -> Bool, change: @escaping Change
  ) throws {
    (self.location, self.accounts, self.hasUsers, self.change) = (location, accounts, hasUsers, change)
    redirect = address.map { $0 + "/settings/google/callback" }
    keyFile = SecretKeyFile(path: try keyPath ?? GoogleDesk.usualKeyPath(location))
    (wakes, wakener) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Beside `hub.db`; with a database in the state folder of the user who runs the hub.
  private static func usualKeyPath(_ location: HubLocation) throws -> String {
    let folder =
      try location.files?.accounts ?? Home(folder: nil, environment: Environment.variables()).state
    return folder + "/google.key"
  }

  /// Work on logins, which a user waits for, and on synchronisations.
  static let loginThreads = WorkerThreads(2, timeout: .seconds(30), ofUsers: true)
  static let syncThreads = WorkerThreads(4)
  /// How many synchronisations run at once.
  static let maxSyncs = 4

  static var now: Int64 { Int64(time(nil)) }

  /// Looks for accounts that are due.
  func wake() { wakener.yield() }

  func endWakes() { wakener.finish() }

  /// Begins the synchronisation of a user; returns false if it runs, or too many do.
  func starts(_ user: String) -> Bool {
    running.withLock { $0.count < GoogleDesk.maxSyncs && $0.insert(user).inserted }
  }

  /// Ends it; what is due then begins.
  func ended(_ user: String) {
    _ = running.withLock { $0.remove(user) }
    wake()
  }

  /// Reads or changes the tables.
  func tables<Result: Sendable>(
    of user: String = "", _ body: @escaping @Sendable (GoogleTables) throws -> Result
  ) async throws -> Result {
    try await accounts.run(on: HubThreads.accounts, of: user) { try body(GoogleTables($0)) }
  }

  // MARK: The client and the key

  /// The client in the settings. Throws a `HubProblem` if it is not set.
  func client() throws -> (client: GoogleClient, settings: Settings) {
    let settings = try location.settings()
    do { return (try GoogleClient(settings), settings) } catch let failure as Failure where failure.status == .usage {
      throw HubProblem(409, "This hub has no client at Google; its operator must set METUBE_RSS_GOOGLE_CLIENT_ID.")
    }
  }

  /// Whether the settings have a client.
  var hasClient: Bool { (try? client()) != nil }

  /// The key. Throws a `HubProblem` if it cannot be read; why is the operator's to know.
  func key() throws -> SecretKey {
    do throws(SecretKeyFile.Failure) { return try keyFile.read() } catch { throw problem(error) }
  }

  /// The key, which is made if it is missing. With a database it is not made if there are accounts: another process of the
  /// hub has it, and this one needs the same.
  func keyToSeal() async throws -> SecretKey {
    var isShared = location.database != nil
    if isShared { isShared = try await tables { try $0.hasAccounts() } }
    do throws(SecretKeyFile.Failure) { return isShared ? try keyFile.read() : try keyFile.readOrMake() } catch {
      throw problem(error)
    }
  }

  private func problem(_ failure: SecretKeyFile.Failure) -> HubProblem {
    let message =
      switch failure {
      case .missing: "is missing; copy it from where the hub had it, or from the process that made it"
      case .unreadable(let problem): "cannot be read: \(String(cString: strerror(problem)))"
      case .unwritable(let problem): "cannot be made: \(String(cString: strerror(problem)))"
      case .exposed(let mode): "other users can read it (mode \(String(mode, radix: 8))); run chmod 600 on it"
      case .malformed: "is not a key; restore it from its copy"
      }
    StandardError.report("google: \(keyFile.path): \(message)")
    return HubProblem(503, "The hub cannot use the key that encrypts logins; its journal says why.")
  }
}
