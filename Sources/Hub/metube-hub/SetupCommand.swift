import App
import ArgumentParser
import Arguments
import Core
import Glibc
import HubCore
import HubStore
import Platform

/// `setup`: makes the first user on the machine of the hub.
struct SetupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup", abstract: "Create the first user of a hub, on its machine.",
    discussion: """
      Asks for a name and a password, twice and without showing it; without a
      terminal the name is an argument, and the password is read from standard
      input. A hub that runs and waits for its first user serves at once; a browser
      can make the user too, at /setup, with the code in the hub's journal.

      Root becomes the owner of the data first, so that the hub can read what is
      made. Without options root sets up the service: as its user, with the
      settings in /var/lib/metube-rss/env.

      Examples:
        sudo metube-hub setup
        metube-hub setup ann --data /srv/hub
      """)
  @OptionGroup var hub: HubOptions
  @Argument(help: "Small letters, digits, dots, dashes and underscores; asked for if missing.") var name: String?

  func run() throws {
    try Owner.become(of: hub)
    let location = try hub.location
    let accounts = try hub.writableAccounts()
    guard try accounts.countOfUsers() == 0 else { throw SetupCommand.isDone }
    let name = try self.name ?? SetupCommand.askName()
    guard HubFiles.isValid(user: name) else {
      throw Failure(.usage, "“\(DisplayText(name).text)”: use small letters, digits, dots, dashes and underscores")
    }
    let hash = try PasswordInput.hash()
    guard try FirstUser.make(name, hash: hash, by: .operatorNow, at: location, accounts) == .right else {
      throw SetupCommand.isDone
    }
    print("\(name): added; log in with this name")
  }

  private static var isDone: Failure {
    Failure(.usage, "there is a user already; for others see metube-hub user add")
  }

  private static func askName() throws -> String {
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure(.usage, "give the name of the first user: metube-hub setup NAME")
    }
    Program.prompt("Name: ")
    return readLine() ?? ""
  }
}

/// Who owns the data of a hub, whom root becomes: what root makes the hub's own user cannot read.
private enum Owner {
  /// Where the packaged service has its data and settings; see metube-hub.service.
  private static let service = (folder: "/var/lib/metube-rss", user: "metube-rss")

  /// Makes root the owner of the data, in this process for good; changes nothing for others. Without options and
  /// variables that name the data, they are the service's.
  static func become(of hub: HubOptions) throws {
    guard geteuid() == 0 else { return }
    let environment = Environment.variables()
    let names = ["METUBE_HUB_HOME", "METUBE_HUB_DATA", "METUBE_HUB_DATABASE", "METUBE_RSS_HOME"]
    let isChosen = hub.home != nil || hub.data != nil || hub.database != nil
    if isChosen || names.contains(where: { environment[$0]?.isEmpty == false }) {
      // A database has no owner on this machine; the service's user is who works with it.
      switch try hub.location {
      case .files(let files): try become(ownerOf: files.accounts)
      case .database: if File.isFolder(service.folder) { try become(ownerOf: service.folder) }
      }
      return
    }
    guard File.isFolder(service.folder) || makeServiceFolder() else {
      throw Failure(.usage, "there is no service in \(service.folder); name the data with --data, --home or --database")
    }
    // Before the settings are read: the service's user writes them, and must not choose where root writes.
    try become(ownerOf: service.folder)
    setenv("METUBE_RSS_HOME", service.folder, 1)
    for (name, value) in try Settings.variables(in: service.folder + "/env") { setenv(name, value, 0) }
  }

  /// Makes the folder of a service that was installed and never started; returns false if none was.
  private static func makeServiceFolder() -> Bool {
    guard let user = getpwnam(service.user), String(cString: user.pointee.pw_dir) == service.folder else {
      return false
    }
    return mkdir(service.folder, 0o700) == 0 && chown(service.folder, user.pointee.pw_uid, user.pointee.pw_gid) == 0
  }

  /// Makes this process, which is root's, the owner of a folder, or of the nearest one above it that exists.
  private static func become(ownerOf path: String) throws {
    var (nearest, status) = (File.absolute(path), stat())
    while stat(nearest, &status) != 0, nearest != "/" { nearest = File.folder(of: nearest) }
    guard status.st_uid != 0 else { return }
    let user = getpwuid(status.st_uid)
    let (home, name) = (
      user.map { String(cString: $0.pointee.pw_dir) }, user.map { String(cString: $0.pointee.pw_name) }
    )
    let group = user?.pointee.pw_gid ?? status.st_gid
    let hasGroups = name.map { initgroups($0, group) } ?? setgroups(0, nil)
    guard hasGroups == 0, setgid(group) == 0, setuid(status.st_uid) == 0, setuid(0) != 0 else {
      throw Failure(.disk, "\(nearest): this process cannot become its owner, \(Unwritable.name(of: status.st_uid))")
    }
    if let home { setenv("HOME", home, 1) }
    for variable in ["XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] { unsetenv(variable) }
  }
}
