import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("A full or read-only disk")
struct FullDiskTests {
  private let sandbox: Sandbox
  private let channels = SyntheticChannel.first(30)

  init() throws { sandbox = try Sandbox() }

  /// The lines of the log on a disk.
  private func log(_ disk: SmallDisk) throws -> [UInt8] {
    let name = try #require(TemporaryFolder.names(in: disk.path + "/log").first)
    return try #require(Files.read("\(disk.path)/log/\(name)"))
  }

  private func importAll(_ home: String, _ count: Int = 30) throws -> Program.Outcome {
    let ids = SyntheticChannel.first(count).map { $0.id + "\n" }
    return try sandbox.run("import", "-", "--home", home, input: ids.joined())
  }

  @Test(
    "keeps the existing log, ends with 74, and accepts the rest once there is room",
    .enabled(if: SmallDisk.isPossible, "needs the right to mount"), arguments: [0, 4096])
  func full(room: Int) throws {
    let disk = try SmallDisk(at: sandbox.folder, kibibytes: 256)
    try sandbox.succeed("follow", "--home", disk.path, "UCAAAAAAAAAAAAAAAAAAAAAA")
    let before = try log(disk)
    try disk.fill(leaving: room)
    let outcome = try importAll(disk.path, 200)
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("No space left on device") || outcome.errors.contains("free some disk space"))
    #expect(try log(disk) == before)
    #expect(
      try sandbox.succeed("channels", "--home", disk.path, "--format", "ids") == "UCAAAAAAAAAAAAAAAAAAAAAA\n")
    disk.clear()
    #expect(try importAll(disk.path, 200).status == 0)
    #expect(try sandbox.succeed("channels", "--home", disk.path, "--format", "ids").split(separator: "\n").count == 201)
    try sandbox.succeed("log", "verify", "--home", disk.path)
  }

  @Test(
    "stops a poll with 74, which the next one completes",
    .enabled(if: SmallDisk.isPossible, "needs the right to mount"))
  func fullWhilePolling() throws {
    let disk = try SmallDisk(at: sandbox.folder, kibibytes: 4096)
    for channel in channels { sandbox.server.serve(channel.id, .feed(channel.feed(generation: 0).xml)) }
    _ = try importAll(disk.path)
    let before = try log(disk)
    try disk.fill(leaving: 16_384)
    let poll = ["poll", "--rate", "0", "--force", "--home", disk.path]
    let outcome = try sandbox.program.run(poll)
    #expect(outcome.status == 74 && outcome.errors.contains("\(disk.path)/log/"))
    #expect(try log(disk).starts(with: before))
    disk.clear()
    #expect(try sandbox.program.run(poll).status == 0)
    let found = String(decoding: try log(disk), as: UTF8.self).split(separator: "\n").filter {
      $0.contains(#""kind":"videoFound""#)
    }
    #expect(found.count == 15 * channels.count)
    try sandbox.succeed("log", "verify", "--home", disk.path)
  }

  @Test(
    "mounted read-only can be read, and writing ends with 74",
    .enabled(if: SmallDisk.isPossible, "needs the right to mount"))
  func readOnlyMount() throws {
    let disk = try SmallDisk(at: sandbox.folder, kibibytes: 256)
    _ = try importAll(disk.path)
    let before = try log(disk)
    try disk.remount(readOnly: true)
    #expect(try sandbox.succeed("channels", "--home", disk.path, "--format", "ids").split(separator: "\n").count == 30)
    let outcome = try sandbox.run("unfollow", "--home", disk.path, channels[0].id)
    #expect(outcome.status == 74 && outcome.errors.contains("Read-only file system"))
    #expect(try log(disk) == before)
    try disk.remount(readOnly: false)
    try sandbox.succeed("unfollow", "--home", disk.path, channels[0].id)
  }

  @Test("that limits file sizes to a few KiB, as a quota does, takes a partial write, which is rolled back")
  func shortWrite() throws {
    try sandbox.succeed("follow", "UCAAAAAAAAAAAAAAAAAAAAAA")
    let before = sandbox.log
    let shell = Program(path: "/bin/sh", environment: sandbox.environment)
    // In blocks of 512 bytes.
    let limited = ["-c", #"ulimit -f 8; exec "$0" import -"#, sandbox.program.path]
    let outcome = try shell.run(limited, input: Array(channels.map { $0.id + "\n" }.joined().utf8))
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("bytes) rolled back; free some disk space"))
    #expect(sandbox.log == before)
    try sandbox.succeed("import", "-", input: channels.map { $0.id + "\n" }.joined())
  }
}
