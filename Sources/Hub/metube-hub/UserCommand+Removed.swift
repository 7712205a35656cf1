import ArgumentParser
import Core
import Glibc
import HubCore
import HubStore
import Platform
import ReadModel
import SQLDrivers

extension UserCommand {
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a user with the sessions and tokens; the log is kept.",
      discussion: """
        With --data the user's folder is moved to removed/NAME-TIME; with --database
        the log and the numbers stay in their tables under that name. user add --from
        gives them to a user again, user erase deletes them.

        Without users everybody on this machine may use the hub, without a password.
        Therefore the last one is removed only with --last.

        Examples:
          metube-hub user remove ann
        """)
    @OptionGroup var hub: HubOptions
    @Flag(name: .long, help: "Also remove the last user, so that no password is required.") var last = false
    @Argument(help: "The user.") var name: String

    func run() throws {
      let (accounts, location) = (try hub.writableAccounts(), try hub.location)
      guard try last || location.isShared || accounts.users() != [name] else {
        throw Failure(.partial, "\(name) is the last user; with --last everybody on this machine may use the hub")
      }
      let kept = try UserCommand.reporting {
        try HubUsers(location, accounts).remove(name, keepingAdministrator: false)
      }
      if location.files != nil {
        return print("\(name): removed; the log \(kept.map { "is kept in \($0)" } ?? "stays as it is")")
      }
      print("\(name): removed; the log is kept as \(kept ?? "")")
      // If this one is interrupted, or another process does it, pollers delete the rest.
      while (try? accounts.clearSome()) == true {}
    }
  }

  struct Erase: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete the log and the numbers of a removed user, for good.",
      discussion: """
        Nothing brings them back but a backup. Give the name as user list --removed
        prints it. Interrupted, a command with the same name goes on; with --database
        whoever polls does.

        Examples:
          metube-hub user list --removed
          metube-hub user erase ann-20261123T045532Z
        """)
    @OptionGroup var hub: HubOptions
    @Argument(help: "The removed user, with the time.") var name: String

    func run() throws {
      let (accounts, location) = (try hub.accounts(), try hub.location)
      if let files = location.files {
        guard try files.erase(name) else { throw RemovedUsers.unknown(name) }
      } else {
        // One that was interrupted goes on.
        let isKnown = try HubDatabase.reporting { try accounts.erase(name) || accounts.isClearing(name) }
        guard isKnown else { throw RemovedUsers.unknown(name) }
        try RemovedUsers.clear(accounts, until: name)
      }
      print("\(DisplayText(name).text): erased")
    }
  }
}

/// What removed users leave in a database.
enum RemovedUsers {
  static func unknown(_ name: String) -> Failure {
    Failure(.partial, "\(DisplayText(name).text): no removed user; see metube-hub user list --removed")
  }

  /// Deletes what is left over of removed users until nothing of this one is to be deleted any more. Another process may
  /// be doing it; throws `temporaryFailure` if nothing could be deleted for a minute.
  static func clear(_ accounts: Accounts, until name: String) throws {
    try HubDatabase.reporting {
      var last = ContinuousClock.now
      while try accounts.isClearing(name) {
        if try accounts.clearSome() {
          last = ContinuousClock.now
          continue
        }
        guard ContinuousClock.now - last < .seconds(60) else { throw DatabaseError.busy }
        usleep(100_000)
      }
    }
  }
}
