import Commands
import Core
import Glibc
import HubCore
import HubStore
import ReadModel

extension HubFiles {
  /// Opens the accounts.
  func openAccounts() throws -> Accounts {
    if let database { return Accounts(try database.connect(for: .accounts)) }
    let folder = try accounts ?? ""
    HubService.makeState(folder)
    return try Accounts(folder: folder)
  }

  /// The users' names, sorted. Does not create missing accounts.
  func users(_ accounts: ConnectionPool<Accounts>) async throws -> [String] {
    if let folder = try self.accounts, !Accounts.exist(in: folder) { return [] }
    return try await accounts.run(on: HubThreads.accounts) { try $0.users() }
  }

  /// Whether a device's log is another user's, or the catalogue's, and not this one's.
  func isOfAnother(_ device: DeviceID, than user: String, _ accounts: Accounts) throws -> Bool {
    database == nil
      ? isOfAnother(device, than: user) : try accounts.isOfAnother(device.description, than: user)
  }

  /// Whether a device's log is one of the catalogue's, which this user has not as a log of their own.
  func isOfCatalogue(_ device: DeviceID, notOf user: String, _ accounts: Accounts) throws -> Bool {
    database == nil
      ? try isOfCatalogue(device, notOf: user) : try accounts.isOfCatalogue(device.description, notOf: user)
  }

  /// Whether a device's log is the one that the hub itself writes for a user.
  func isOwn(_ device: DeviceID, of user: String, _ accounts: Accounts) throws -> Bool {
    database == nil ? try isOwn(device, of: user) : try accounts.isOwn(device.description, of: user)
  }
}

extension HubOptions {
  /// Opens the accounts. Throws unless a database has the tables of this program.
  func accounts() throws -> Accounts {
    let files = try files
    if let database = files.database {
      try database.check(database.connectOrFail(for: .accounts), after: Migration.hub)
    }
    try files.reportForeignOwner()
    return try files.openAccounts()
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
