import ArgumentParser
import Core
import Glibc
import HubCore
import HubStore
import Platform
import SQLDrivers

/// `user`: who may use the hub.
struct UserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user", abstract: "Manage the users of the hub.",
    discussion: """
      With a user, the hub requires a password or a token from everybody, and may
      listen on other than loopback addresses. The files of one person (--home) have
      one user; with --data or --database each user has a log of their own, which
      nobody else sees.

      Examples:
        metube-hub user add ann
        metube-hub user add bob --data /var/lib/metube-hub
        metube-hub user admin ann
        metube-hub user list
      """,
    subcommands: [
      Add.self, List.self, Password.self, Admin.self, Rename.self, Disable.self, Enable.self, Remove.self, Erase.self,
    ])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a user; the password is read from standard input.",
      discussion: """
        With --from, the user begins with a copy of the logs of another home, such as
        the one that metube-rss uses, which stays as it is. With --database the user
        gets the log of a removed one, named as user list --removed does.

        Examples:
          metube-hub user add ann
          metube-hub user add ann --data /srv/hub --from ~/.local/share/metube-rss
          metube-hub user add ann --from ann-20261123T045532Z
        """)
    @OptionGroup var hub: HubOptions
    @Option(
      name: .long,
      help: ArgumentHelp("Take over the logs of this home, or of a removed user of a database.", valueName: "dir"))
    var from: String?
    @Argument(help: "Small letters, digits, dots, dashes and underscores.") var name: String

    func run() throws {
      guard HubFiles.isValid(user: name) else {
        throw Failure(.usage, "“\(DisplayText(name).text)”: use small letters, digits, dots, dashes and underscores")
      }
      let location = try hub.location
      if from != nil, !location.isShared { throw Failure(.usage, "--from needs --data or --database") }
      let accounts = try hub.writableAccounts()
      let users = try accounts.users()
      try check(!users.contains(name))
      if !location.isShared, let other = users.first {
        throw Failure(.usage, "these files are \(other)'s alone; for more users give a folder with --data")
      }
      switch location {
      case .database(let database): try add(to: accounts, database)
      case .files(let files):
        let hash = try PasswordInput.hash()
        // First the folder: a user without one would begin with nothing.
        try files.addUser(name, from: from)
        let now = Int64(time(nil))
        let kept = from.flatMap { files.nameOfRemoved(at: $0) }
        try check(
          kept.map { try accounts.addUser(name, hash: hash, takingOver: $0, now: now) }
            ?? accounts.addUser(name, hash: hash, now: now))
      }
      print("\(name): added")
    }

    private func check(_ isAdded: Bool) throws {
      if !isAdded { throw Failure(.partial, "\(name): already a user; see metube-hub user password") }
    }

    /// Adds the user with an empty log, or with that of a removed one.
    private func add(to accounts: Accounts, _ database: HubDatabase) throws {
      if let from, try !accounts.removed().contains(from) { throw RemovedUsers.unknown(from) }
      let (hash, now) = (try PasswordInput.hash(), Int64(time(nil)))
      guard let from else {
        var generator = SystemRandomNumberGenerator()
        let device = DeviceID(using: &generator).description
        return try check(accounts.addOwner(name, hash: hash, device: device, now: now))
      }
      try RemovedUsers.clear(accounts, until: from)
      try check(HubDatabase.reporting { try accounts.restore(from, to: name, hash: hash, now: now) })
      try database.fill(name)
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the users.",
      discussion: """
        Examples:
          metube-hub user list
          metube-hub user list --removed
        """)
    @OptionGroup var hub: HubOptions
    @Flag(help: "List what removed users left: their names with the time of the removal.") var removed = false

    func run() throws {
      let (accounts, location) = (try hub.accounts(), try hub.location)
      let names = try !removed ? accounts.users() : location.files?.removed ?? accounts.removed()
      for name in names { print(name) }
    }
  }

  struct Password: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Change a password, and end the sessions and logins of readers.",
      discussion: """
        Examples:
          metube-hub user password ann
        """)
    @OptionGroup var hub: HubOptions
    @Argument(help: "The user.") var name: String

    func run() throws {
      let accounts = try hub.writableAccounts()
      guard try accounts.hash(of: name) != nil else { throw Failure(.partial, "no such user") }
      guard try accounts.setPassword(of: name, hash: PasswordInput.hash()) else {
        throw Failure(.partial, "no such user")
      }
      print("\(name): password changed")
    }
  }
}
