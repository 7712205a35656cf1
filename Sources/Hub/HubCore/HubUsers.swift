import App
import Core
import EventLog
import Glibc
import HubStore
import Platform
import SQLDrivers

/// What the operator and the administrators of a hub do with its users, with files and with a database.
package struct HubUsers {
  private let location: HubLocation
  private let accounts: Accounts

  package init(_ location: HubLocation, _ accounts: Accounts) { (self.location, self.accounts) = (location, accounts) }

  /// Why something is not done.
  package enum Refusal: Error, Equatable {
    case invalidName
    /// Another user has the name.
    case taken(String)
    case unknown
    /// These files are one person's alone.
    case isHome
    /// The hub would be left without an administrator.
    case lastAdministrator
    /// A poll writes to the user's log and does not end in time.
    case inUse

    /// In a sentence.
    package var text: String {
      switch self {
      case .invalidName: "The name may have small letters, digits, dots, dashes and underscores."
      case .taken(let name): "\(name) is a user already."
      case .unknown: "There is no such user."
      case .isHome: "The files of one person (--home) have one user; for more, serve a folder with --data."
      case .lastAdministrator:
        "The hub would be left without an administrator. Make another user an administrator first."
      case .inUse: "A poll is using the user’s log. Try again in a moment."
      }
    }
  }

  /// Adds a user with an empty log.
  package func add(_ name: String, hash: String, now: Int64) throws {
    guard HubFiles.isValid(user: name) else { throw Refusal.invalidName }
    guard location.isShared else { throw Refusal.isHome }
    guard try accounts.hash(of: name) == nil else { throw Refusal.taken(name) }
    guard let files = location.files else {
      var generator = SystemRandomNumberGenerator()
      let device = DeviceID(using: &generator).description
      guard try accounts.addOwner(name, hash: hash, device: device, now: now) else { throw Refusal.taken(name) }
      return
    }
    // First the folder: a user without one would begin with nothing.
    try files.addUser(name, from: nil)
    do {
      guard try accounts.addUser(name, hash: hash, now: now) else { throw Refusal.taken(name) }
    } catch {
      files.discardUser(name)
      throw error
    }
  }

  /// Removes a user with the sessions and tokens; returns where the log is kept, nil if it stays as it is.
  package func remove(_ name: String, keepingAdministrator: Bool) throws -> String? {
    guard let files = location.files else { return try removeUnused(name, keepingAdministrator: keepingAdministrator) }
    return try files.whileUnused(name) { try removeUnused(name, keepingAdministrator: keepingAdministrator) }
  }

  private func removeUnused(_ name: String, keepingAdministrator: Bool) throws -> String? {
    let keptName = location.files?.nameOfRemoved(user: name)
    guard
      try refusing({
        try accounts.removeUser(name, kept: keptName, keepingAdministrator: keepingAdministrator)
      })
    else { throw Refusal.unknown }
    guard let files = location.files else { return try accounts.removed(user: name) }
    return try keptName.flatMap { try files.removeUser(name, as: $0) }
  }

  /// Makes a user an administrator, or one no longer.
  package func setAdministrator(_ isOne: Bool, _ name: String, keepingAdministrator: Bool) throws {
    let isKnown = try refusing {
      try accounts.setAdministrator(isOne, name, keepingAdministrator: keepingAdministrator)
    }
    if !isKnown { throw Refusal.unknown }
  }

  /// Has a user use nothing from now on, or everything again.
  package func setDisabled(_ isDisabled: Bool, _ name: String, keepingAdministrator: Bool, now: Int64) throws {
    let isKnown = try refusing {
      try accounts.setDisabled(isDisabled, name, keepingAdministrator: keepingAdministrator, now: now)
    }
    if !isKnown { throw Refusal.unknown }
  }

  private func refusing<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch AccountsError.lastAdministrator { throw Refusal.lastAdministrator }
  }

  // MARK: Renaming

  /// Gives a user another name; everything else stays the user's: the log, sessions, tokens, numbers. With folders nothing
  /// may use the user's log meanwhile.
  package func rename(_ name: String, to later: String) throws {
    guard HubFiles.isValid(user: later) else { throw Refusal.invalidName }
    do {
      guard case .files(.data) = location, let files = location.files else {
        guard try accounts.rename(name, to: later) else { throw Refusal.unknown }
        return
      }
      // What an earlier attempt began comes first: the folder may have another name already.
      try completeRenamings()
      // Before the folder: of a user it has one too.
      guard try accounts.hash(of: name) != nil else { throw Refusal.unknown }
      guard try accounts.hash(of: later) == nil else { throw Refusal.taken(later) }
      try files.checkFree(user: later)
      // A poll that has begun to append ends first, and the next one finds the folder under its new name.
      try files.whileUnused(name) {
        guard try accounts.beginRenaming(name, to: later) else { throw Refusal.unknown }
        guard try complete(name, to: later, files) else { throw Refusal.taken(later) }
      }
    } catch AccountsError.nameTaken { throw Refusal.taken(later) }
  }

  /// Completes what an earlier process began, and did not complete.
  package func completeRenamings() throws {
    guard let files = location.files else { return }
    for (former, later) in try accounts.renamings() { _ = try complete(former, to: later, files) }
  }

  /// Returns false if all stayed as it is.
  private func complete(_ name: String, to later: String, _ files: HubFiles) throws -> Bool {
    try accounts.completeRenaming(name, to: later) { try files.renameUser(name, to: later) }
  }

  // MARK: What users use

  /// The bytes that the logs of each user take, with folders all that is in the user's, and how many logs are damaged, of
  /// folders as `inspection` found last.
  package func figures(_ inspection: LogInspection) throws -> [String: (bytes: UInt64, damaged: Int)] {
    guard let files = location.files else { return try accounts.figuresOfLogs() }
    let findings = inspection.findings
    var figures: [String: (bytes: UInt64, damaged: Int)] = [:]
    for user in try accounts.users() {
      let owner = files.isShared ? user : nil
      figures[user] = (try files.size(of: owner), findings.count { $0.user == owner })
    }
    return figures
  }
}

extension HubFiles {
  /// Throws if a folder of users has one of this name already.
  fileprivate func checkFree(user: String) throws {
    guard case .data(let folder) = self, File.exists(userFolder(user, in: folder)) else { return }
    throw Failure(.partial, "\(userFolder(user, in: folder)): already there, without its user; move it away")
  }

  /// Gives a user's folder another name, unless it has it already; returns false if another folder has that name.
  fileprivate func renameUser(_ user: String, to later: String) throws -> Bool {
    guard case .data(let folder) = self else { return true }
    let (old, new) = (userFolder(user, in: folder), userFolder(later, in: folder))
    guard File.exists(old) else { return true }
    if File.exists(new) { return false }
    try HubFiles.move(old, to: new)
    return true
  }

  /// The bytes of everything in a user's home.
  fileprivate func size(of user: String?) throws -> UInt64 {
    let home = try home(of: user)
    let folders = Set([home.data, home.state, home.folders.log])
    // One may be in another.
    return folders.filter { path in !folders.contains { path != $0 && path.hasPrefix($0 + "/") } }
      .reduce(0) { $0 + HubFiles.size(ofFolder: $1) }
  }

  private static func size(ofFolder path: String) -> UInt64 {
    var bytes: UInt64 = 0
    for name in File.names(in: path) where name != "." && name != ".." {
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        bytes += size(ofFolder: "\(path)/\(name)")
      } else {
        bytes += UInt64(status.st_size)
      }
    }
    return bytes
  }
}
