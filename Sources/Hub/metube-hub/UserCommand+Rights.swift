import ArgumentParser
import Core
import Glibc
import HubCore
import HubStore
import Platform

extension UserCommand {
  struct Admin: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a user an administrator of the hub.",
      discussion: """
        Administrators add, rename, disable and remove users on the page, under
        Settings, Users, and see what each one uses. The first user of a new hub is
        an administrator; a hub that an earlier version set up has none.

        Examples:
          metube-hub user admin ann
          metube-hub user admin ann --remove
        """)
    @OptionGroup var hub: HubOptions
    @Flag(help: "Remove the user's administrator rights.") var remove = false
    @Argument(help: "The user.") var name: String

    func run() throws {
      let users = HubUsers(try hub.location, try hub.writableAccounts())
      try UserCommand.reporting { try users.setAdministrator(!remove, name, keepingAdministrator: false) }
      print("\(name): \(remove ? "no longer an administrator" : "an administrator of this hub")")
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Give a user another name; log, devices and tokens stay.",
      discussion: """
        Sessions, tokens, paired devices and the numbers that apps know stay too. With
        --data stop the hub first, or rename the user on its page. If it is
        interrupted, the next command or start of the hub completes it.

        Examples:
          metube-hub user rename ann anna
        """)
    @OptionGroup var hub: HubOptions
    @Argument(help: "The user.") var name: String
    @Argument(help: "Small letters, digits, dots, dashes and underscores.") var newName: String

    func run() throws {
      let location = try hub.location
      if case .files(.data(let folder)) = location, StatusCommand.read(StatusSocket.path(in: folder)) != nil {
        throw Failure(
          .temporaryFailure, "\(folder): a hub serves it; stop the hub first, or rename the user there: Settings, Users"
        )
      }
      let users = HubUsers(location, try hub.writableAccounts())
      try UserCommand.reporting { try users.rename(name, to: newName) }
      print("\(name): renamed to \(newName)")
    }
  }

  struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Refuse a user all access; nothing is deleted.",
      discussion: """
        The page, apps, readers and devices of the user are refused, and open event
        streams end within 15 seconds. user enable restores access.

        Examples:
          metube-hub user disable bob
        """)
    @OptionGroup var hub: HubOptions
    @Argument(help: "The user.") var name: String

    func run() throws { try UserCommand.setDisabled(true, name, hub) }
  }

  struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Let a disabled user use the hub again.",
      discussion: """
        Sessions and tokens from before work again, unless they have ended since.

        Examples:
          metube-hub user enable bob
        """)
    @OptionGroup var hub: HubOptions
    @Argument(help: "The user.") var name: String

    func run() throws { try UserCommand.setDisabled(false, name, hub) }
  }

  private static func setDisabled(_ isDisabled: Bool, _ name: String, _ hub: HubOptions) throws {
    let users = HubUsers(try hub.location, try hub.writableAccounts())
    try reporting { try users.setDisabled(isDisabled, name, keepingAdministrator: false, now: Int64(time(nil))) }
    print("\(name): \(isDisabled ? "disabled" : "enabled")")
  }

  /// Calls `body`, with a refusal turned into a message.
  static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try HubDatabase.reporting(body)
    } catch let refusal as HubUsers.Refusal {
      switch refusal {
      case .unknown: throw Failure(.partial, "no such user")
      case .taken(let name): throw Failure(.partial, "\(name): already a user")
      case .invalidName:
        throw Failure(.usage, "use small letters, digits, dots, dashes and underscores for the name of a user")
      case .inUse: throw Failure(.temporaryFailure, refusal.text)
      case .isHome, .lastAdministrator: throw Failure(.usage, refusal.text)
      }
    }
  }
}
