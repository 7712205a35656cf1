import Glibc
import TestSupport
import Testing

@testable import EventLog

@Test("A folder is removed with the folders in it, and not what links in it lead to")
func removedFolder() throws {
  let folder = TemporaryFolder()
  folder.write("kept".utf8, to: "elsewhere/file")
  folder.write("gone".utf8, to: "old/inner/innermost/file")
  folder.write("gone".utf8, to: "old/.hidden")
  try #require(symlink(folder.path + "/elsewhere", folder.path + "/old/inner/folder") == 0)
  try #require(symlink(folder.path + "/elsewhere/file", folder.path + "/old/file") == 0)
  Directory.removeAll(folder.path + "/old")
  #expect(folder.names() == ["elsewhere"])
  #expect(folder.read("elsewhere/file") == Array("kept".utf8))
}
