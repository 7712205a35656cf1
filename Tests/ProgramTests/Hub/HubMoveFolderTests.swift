import Glibc
import TestSupport
import Testing

@testable import HubCore

@Suite("The folder that a move fills")
struct HubMoveFolderTests {
  @Test("What a killed move left is removed; what another one fills, and other folders, stay")
  func interrupted() throws {
    let folder = TemporaryFolder()
    for name in ["data.abcdef", "data.filled", "data.backup", "other.abcdef"] {
      mkdir("\(folder.path)/\(name)", 0o700)
      folder.write(Array("hashes".utf8), to: "\(name)/users.sqlite")
      if name != "data.backup" { folder.write([], to: "\(name)/unfinished") }
    }
    let lock = open("\(folder.path)/data.filled/unfinished", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let target = folder.path + "/data"
    try HubMove.making(target) { new in
      #expect(new != target && access("\(new)/unfinished", F_OK) == 0 && access(target, F_OK) != 0)
      #expect(access("\(folder.path)/data.abcdef", F_OK) != 0)
    }
    #expect(access(target, F_OK) == 0 && access("\(target)/unfinished", F_OK) != 0)
    #expect(folder.read("data.filled/users.sqlite") != nil && folder.read("data.backup/users.sqlite") != nil)
    #expect(folder.read("other.abcdef/users.sqlite") != nil)
  }
}

@Suite("The folder of --home")
struct HubHomeTests {
  @Test("The folder of --home is made for the first user, and messages have the name of the hub's program")
  func made() throws {
    let sandbox = try Sandbox()
    let home = sandbox.folder.path + "/new/home"
    let added = try sandbox.hub(["user", "add", "ann", "--home", home], input: Sandbox.password + "\n")
    #expect(added.status == 0, "\(added.errors)")
    #expect(try sandbox.hub(["user", "list", "--home", home]).text.contains("ann"))
    let again = try sandbox.hub(["user", "add", "ann", "--home", home], input: Sandbox.password + "\n")
    #expect(again.status != 0 && again.errors.hasPrefix("metube-hub: "), "\(again.errors)")
    let unknown = try sandbox.hub(["token", "add", "eve", "test", "--home", home])
    #expect(unknown.status != 0 && unknown.errors.hasPrefix("metube-hub: "), "\(unknown.errors)")
  }
}
