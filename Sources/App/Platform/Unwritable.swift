import Glibc

/// Why this process cannot read and write at a path, if that is a matter of owners, and the command that mends it.
package struct Unwritable: Sendable {
  /// The file or folder that stands in the way.
  package let path: String
  /// What is wrong with it, and what to do: `belongs to root (uid 0), and this program runs as uid 65532; run: sudo …`.
  package let reason: String

  /// What keeps this process from reading and writing a path, or from making it; nil if rights do not. `access(2)`.
  package init?(_ path: String) {
    var nearest = File.absolute(path)
    var missing: String?
    var status = stat()
    while stat(nearest, &status) != 0 {
      guard nearest != "/" else { return nil }
      // Below a folder that may not be searched nothing is known to exist.
      missing = nearest
      nearest = File.folder(of: nearest)
    }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    guard access(nearest, isFolder ? R_OK | W_OK | X_OK : R_OK | W_OK) != 0, errno == EACCES || errno == EPERM else {
      return nil
    }
    self.path = nearest
    let (user, group) = (geteuid(), getegid())
    guard status.st_uid != user else {
      reason =
        "may not be written by its owner, \(Unwritable.name(of: user)); run: chmod u+rw\(isFolder ? "x" : "") "
        + Unwritable.quoted(nearest)
      return
    }
    let remedy: String
    if let missing, !Unwritable.isPart(missing) {
      let command = "sudo install -d -o \(user) -g \(group) -m 700 \(Unwritable.quoted(missing))"
      remedy = access(nearest, X_OK) == 0 ? "run: \(command)" : "choose another folder"
    } else {
      let home = Unwritable.home(of: nearest, owner: status.st_uid)
      remedy = "run: sudo chown -R \(user):\(group) \(Unwritable.quoted(home))"
    }
    let owner = Unwritable.name(of: status.st_uid)
    reason = "belongs to \(owner), and this program runs as \(Unwritable.name(of: user)); \(remedy)"
  }

  /// `metube-rss (uid 998)`; `uid 65532` if the user has no name here.
  package static func name(of user: uid_t) -> String {
    getpwuid(user).map { "\(String(cString: $0.pointee.pw_name)) (uid \(user))" } ?? "uid \(user)"
  }

  /// The files and folders of a home or of a hub's folder, which are made in it.
  private static let parts: Set<String> = [
    "log", "state", "cache", "env", "catalogue", "users", "removed", "hub.db", "hub.lock",
  ]

  private static func isPart(_ path: String) -> Bool {
    parts.contains(lastPart(of: path)) || path.hasSuffix(".jsonl")
  }

  /// The home that a file or folder belongs to, as far as it has the same owner: what root made there is mended at once.
  private static func home(of path: String, owner: uid_t) -> String {
    var home = path
    var status = stat()
    while isPart(home) {
      let parent = File.folder(of: home)
      guard parent != "/", stat(parent, &status) == 0, status.st_uid == owner else { break }
      home = parent
    }
    return home
  }

  private static func lastPart(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

  /// A path as a shell takes it, without quotes where it needs none.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        || "/._-+:@".utf8.contains(byte)
    }
    return isPlain ? path : ShellWords.quoted(path)
  }

  /// The failure that ends a command.
  package var failure: Failure { Failure(PlatformError.unwritable(self)) }
}
