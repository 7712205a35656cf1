import Core
import Glibc
import HubCore
import HubStore
import Platform
import SQLDrivers

/// The first user at the start of a hub.
extension FirstUser {
  /// The user whom the settings name for a hub that never had one.
  struct Named: Sendable {
    var name: String
    /// The file with the password.
    var file: String

    static func isSet(_ settings: HubSettings) -> Bool {
      settings.text("FIRST_USER") != nil || settings.text("FIRST_PASSWORD_FILE") != nil
    }

    /// Of the settings; nil without. Throws if only one of the two is set, or if the name is invalid.
    init?(_ settings: HubSettings) throws {
      let (name, file) = (settings.text("FIRST_USER"), settings.text("FIRST_PASSWORD_FILE"))
      switch (name, file) {
      case (nil, nil): return nil
      case (.some, nil):
        throw Failure(
          .usage, "METUBE_HUB_FIRST_USER: set METUBE_HUB_FIRST_PASSWORD_FILE too, to a file with the password")
      case (nil, .some):
        throw Failure(.usage, "METUBE_HUB_FIRST_PASSWORD_FILE: set METUBE_HUB_FIRST_USER too, to the user's name")
      case (.some(let name), .some(let file)):
        guard HubFiles.isValid(user: name) else {
          throw Failure(
            .usage,
            "METUBE_HUB_FIRST_USER: “\(DisplayText(name).text)”: use small letters, digits, dots, dashes and underscores"
          )
        }
        (self.name, self.file) = (name, file)
      }
    }

    /// The hash of the password in the file: its only line.
    func hash() throws -> String {
      let setting = "METUBE_HUB_FIRST_PASSWORD_FILE: \(DisplayText(file).text)"
      let bytes: [UInt8]
      do { bytes = try File.read(file, limit: 4096) } catch let failure as Failure {
        throw Failure(.usage, "METUBE_HUB_FIRST_PASSWORD_FILE: \(failure.message)")
      }
      var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      if lines.last?.isEmpty == true { lines.removeLast() }
      guard lines.count <= 1 else { throw Failure(.usage, "\(setting): has more than one line; only the password") }
      var line = lines.first ?? []
      if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
      guard let password = String(validating: line, as: UTF8.self), Secrets.isAcceptable(password: password) else {
        throw Failure(.usage, "\(setting): the password must have 8 to 512 bytes")
      }
      guard let hash = Secrets.hash(password: password) else { throw Failure(.disk, "libcrypt has no yescrypt") }
      return hash
    }
  }

  /// Whether a hub must wait for its first user. Makes the one whom the settings name, if there never was one. Throws if
  /// there was one and none is left, unless only this machine reaches the hub.
  static func isMissing(
    at location: HubLocation, isAlone: Bool, settings: HubSettings
  ) throws -> Bool {
    if isAlone, !Named.isSet(settings) { return false }
    if let files = location.files, try !Accounts.exist(in: files.accounts) { try files.checkWritable() }
    let accounts = try location.openAccounts()
    let setup = try accounts.setup()
    if setup.isOver {
      guard try !isAlone && accounts.countOfUsers() == 0 else { return false }
      throw Failure(.usage, "there are no users any more, and others could reach the hub; \(command(location))")
    }
    try location.files?.checkWritable()
    guard let named = try Named(settings) else { return !isAlone }
    if try make(named.name, hash: named.hash(), by: .operatorOnce, at: location, accounts) == .right {
      StandardError.report("\(named.name): added, as METUBE_HUB_FIRST_USER says")
    }
    return false
  }

  /// The command that adds a user.
  private static func command(_ location: HubLocation) -> String {
    switch location {
    case .files(.data(let data)): "see metube-hub user add --data \(DisplayText(data).text)"
    case .database: "see metube-hub user add --database"
    case .files(.home): "see metube-hub user add"
    }
  }

  /// Creates the first user, with a log, unless the hub had one already.
  static func make(
    _ name: String, hash: String, by maker: Accounts.Maker, at location: HubLocation, _ accounts: Accounts
  ) throws -> Accounts.CodeVerdict {
    let now = Int64(time(nil))
    guard let files = location.files else {
      var generator = SystemRandomNumberGenerator()
      let device = DeviceID(using: &generator).description
      return try accounts.addFirstUser(name, hash: hash, by: maker, device: device, now: now) {}
    }
    var isMade = false
    do {
      return try accounts.addFirstUser(name, hash: hash, by: maker, device: nil, now: now) {
        // A user without a folder would begin with nothing.
        try files.addUser(name, from: nil)
        isMade = true
      }
    } catch {
      if isMade { files.discardUser(name) }
      throw error
    }
  }
}
