import ArgumentParser
import Arguments
import Glibc
import HubStore
import Platform

/// `pair`: a code for a new device.
struct PairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Show a code with which metube-rss on a device gets its token.",
    discussion: """
      The code is valid for ten minutes, once. On the device run
      metube-rss pair URL CODE. metube-hub token list shows the devices, token
      revoke removes one.

      Examples:
        metube-hub pair
        metube-hub pair ann --data /var/lib/metube-hub
      """)
  @OptionGroup var hub: HubOptions
  @Argument(help: "The user; may be left out if there is one.") var user: String?

  func run() throws {
    let accounts = try hub.writableAccounts()
    let users = try accounts.users()
    guard !users.isEmpty else {
      throw Failure(.usage, "there are no users; see metube-hub user add. On this machine no token is needed")
    }
    guard let user = user ?? (users.count == 1 ? users.first : nil) else {
      throw Failure(.usage, "name the user: \(users.joined(separator: ", "))")
    }
    guard users.contains(user) else { throw Failure(.partial, "no such user") }
    let code = try accounts.addPairing(of: user, now: Int64(time(nil)))
    print(Secrets.grouped(code))
    Program.report("valid for ten minutes, once: metube-rss pair URL CODE")
  }
}
