import ArgumentParser
import Arguments
import HubCore
import HubStore
import Platform

/// `log`: the logs of the users.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Check or repair the logs of a user, or of all users and the catalogue.",
    discussion: """
      Examples:
        metube-hub log verify --data /srv/hub --all
        metube-hub log repair --data /srv/hub ann
      """, subcommands: [Verify.self, Repair.self])

  /// Whose logs.
  struct Whose: ParsableArguments {
    @Flag(help: "The logs of all users, and the catalogue's.") var all = false
    @Argument(help: "The user; none with --home.") var user: String?

    func validate() throws {
      if all, user != nil { throw ValidationError("give a user or --all") }
    }

    /// The logs that are meant, with what to print before what is said of them: a user's, the catalogue's, or the only
    /// ones of a home.
    func logs(_ hub: HubOptions) throws -> [(title: String, logs: HubLogs)] {
      let location = try hub.location
      try location.files?.reportForeignOwner()
      let users = try location.files.map(HubLogs.users) ?? hub.accounts().users()
      return try owners(location, users).map { owner in
        let title = owner.map { "\($0): " } ?? (location.isShared ? "catalogue: " : "")
        return (title, try HubLogs(location, of: owner, among: users))
      }
    }

    private func owners(_ location: HubLocation, _ users: [String]) throws -> [String?] {
      if let user {
        guard location.isShared else {
          throw Failure(.usage, "the logs of one person have no user; leave out “\(user)”")
        }
        return [user]
      }
      if location.isShared, !all { throw Failure(.usage, "give a user, or --all") }
      return [nil] + users
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check every line of every log for damage.",
      discussion: """
        Changes nothing, except that it rebuilds a cache that contradicts the logs.
        The status is 0 if everything is good and 65 if something is damaged.

        Examples:
          metube-hub log verify --data /srv/hub ann
        """)
    @OptionGroup var hub: HubOptions
    @OptionGroup var whose: Whose

    func run() throws {
      var isGood = true
      for (title, logs) in try whose.logs(hub) {
        let found = try logs.verify()
        for line in found.lines { print(title + line) }
        for problem in found.problems { Program.report(title + problem) }
        isGood = isGood && found.isGood
      }
      if !isGood { throw Failure(.invalidInput, "something is damaged; see metube-hub log repair") }
    }
  }

  struct Repair: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Mend damaged lines, or remove them, after showing them.",
      discussion: """
        Lines that another copy in the user's folder has come back, such as those that
        a device returned; others are removed. They and the original files are kept in
        the folder backups beside log; with a database, take a copy of it first.
        Devices send what is missing of their logs when they next exchange. The hub may
        run meanwhile.

        Examples:
          metube-hub log repair --data /srv/hub ann
          metube-hub log repair --data /srv/hub --all --yes
        """)
    @OptionGroup var hub: HubOptions
    @OptionGroup var whose: Whose
    @Flag(help: "Do not ask for confirmation.") var yes = false

    func run() throws {
      for (title, logs) in try whose.logs(hub) {
        let done = try logs.repair { findings, question in
          for finding in findings { Program.report(title + finding) }
          return try yes || Program.isConfirmed(question)
        }
        for line in done ?? ["no damage in the logs"] { print(title + line) }
      }
    }
  }
}
