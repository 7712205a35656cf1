import Arguments
import Core
import Glibc
import HubCore
import HubLimits
import HubStore
import Platform
import ReadModel
import SQLDrivers

extension HubLocation {
  /// Opens the accounts.
  func openAccounts() throws -> Accounts {
    switch self {
    case .database(let database): return Accounts(try database.connect(for: .accounts))
    case .files(let files):
      let folder = try files.accounts
      HubService.makeState(folder)
      do { return try Accounts(folder: folder) } catch let error as DatabaseError {
        throw Unwritable(Accounts.path(in: folder))?.failure ?? error as any Error
      }
    }
  }

  /// The users' names, sorted. Does not create missing accounts.
  func users(_ accounts: ConnectionPool<Accounts>) async throws -> [String] {
    if let folder = try files?.accounts, !Accounts.exist(in: folder) { return [] }
    return try await accounts.run(on: HubThreads.accounts) { try $0.users() }
  }

  /// Whether a device's log is another user's, or the catalogue's, and not this one's.
  func isOfAnother(_ device: DeviceID, than user: String, _ accounts: Accounts) throws -> Bool {
    try files?.isOfAnother(device, than: user) ?? accounts.isOfAnother(device.description, than: user)
  }

  /// Whether a device's log is one of the catalogue's and not one of this user's own.
  func isOfCatalogue(_ device: DeviceID, notOf user: String, _ accounts: Accounts) throws -> Bool {
    try files?.isOfCatalogue(device, notOf: user) ?? accounts.isOfCatalogue(device.description, notOf: user)
  }

  /// Whether a device's log is the one that the hub itself writes for a user.
  func isOwn(_ device: DeviceID, of user: String, _ accounts: Accounts) throws -> Bool {
    try files?.isOwn(device, of: user) ?? accounts.isOwn(device.description, of: user)
  }
}

extension HubOptions {
  /// Opens the accounts. Throws unless a database has the tables of this program.
  func accounts() throws -> Accounts {
    let location = try location
    switch location {
    case .database(let database): try database.check(database.connectOrFail(for: .accounts), after: Migration.hub)
    case .files(let files): try files.reportForeignOwner()
    }
    return try location.openAccounts()
  }

  /// The accounts for a command that changes them. Throws if the process's user may not.
  func writableAccounts() throws -> Accounts {
    let location = try location
    try location.files?.checkWritable()
    let accounts = try accounts()
    try HubUsers(location, accounts).completeRenamings()
    return accounts
  }
}

extension HubFiles {
  /// Throws, with the owner and what mends it, unless this user may change the accounts, or make them.
  func checkWritable() throws {
    let folder = try accounts
    if let problem = Unwritable(folder) ?? Unwritable(Accounts.path(in: folder)) { throw problem.failure }
  }
}

extension HubFiles {
  /// Warns root that a folder is another user's: files that root makes in it cannot be read by a hub of that user.
  func reportForeignOwner() throws {
    guard geteuid() == 0, let owner = try foreignOwner() else { return }
    Program.report(
      "\(owner.folder): belongs to \(owner.name), whose hub cannot read what root makes there; better: "
        + "sudo -u \(owner.name) metube-hub …")
  }
}
