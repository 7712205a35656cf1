import FixtureServer
import Glibc
import HubCore
import JSON
import TestSupport
import Testing

/// Users with logs of their own, beside one catalogue.
@Suite("Users of the hub with logs of their own")
final class HubUserTests: TwoUsers {
  @Test("A channel is polled once for all who follow it, and each sees only their own channels and marks")
  func together() throws {
    try follow(TwoUsers.science, TwoUsers.other, by: ann)
    try follow(TwoUsers.science, by: bob)
    try poll()
    for channel in [TwoUsers.science, TwoUsers.other] {
      let count = sandbox.server.requests.count { $0.target.contains(channel) }
      #expect(count == 1, "\(channel): \(count) requests")
    }
    let (hers, his) = (try videos(ann), try videos(bob))
    #expect(!his.isEmpty && hers.count > his.count && Set(his).isSubset(of: hers))
    #expect(try Set(videos(bob, "&all=true&shorts=show")).isSubset(of: videos(ann, "&all=true&shorts=show")))
    #expect(try mark(his[0], #""status":"watched""#, by: ann).json["changed"] == 1)
    #expect(try videos(ann).count == hers.count - 1)
    #expect(try videos(bob) == his, "her mark is not his")
    let undone = try hub.send("POST", "/api/v1/undo?yes=true", [bob])
    #expect(undone.status == 200, "his last action is that he followed something: \(undone.text)")
    #expect(try hub.get("/api/v1/channels", bob).json.texts("channels", of: "channel").isEmpty)
    #expect(try hub.get("/api/v1/channels", ann).json.texts("channels", of: "channel").count == 2)
    #expect(try sandbox.hubLines(nil).allSatisfy { !$0.contains("statusSet") })
  }

  @Test("Root is warned of a folder that is another user's", .ofFiles, .enabled(if: geteuid() == 0, "for root"))
  func foreignOwner() throws {
    for arguments in [["user", "list"], ["log", "verify", "--all"]] {
      chown(sandbox.hubData, 0, 0)
      #expect(try !sandbox.hub(arguments + ["--data", sandbox.hubData]).errors.contains("belongs to"))
      chown(sandbox.hubData, 65_534, 65_534)
      let warned = try sandbox.hub(arguments + ["--data", sandbox.hubData])
      #expect(warned.status == 0 && warned.errors.contains("sudo -u nobody metube-hub"), "\(warned.errors)")
    }
  }

  @Test("A known channel shows its videos to a new follower at once, those before the date as watched")
  func laterFollower() throws {
    try follow(TwoUsers.science, by: ann)
    try poll()
    let hers = try videos(ann, "&shorts=show")
    try follow(TwoUsers.science, by: bob)
    #expect(try videos(bob, "&shorts=show") == hers)
    try sandbox.addUser("cid")
    let cid = try sandbox.bearer("cid")
    try follow(TwoUsers.science, by: cid, more: #","seenBefore":"2099-01-01""#)
    #expect(try videos(cid, "&shorts=show").isEmpty)
    #expect(try videos(cid, "&shorts=show&status=watched").count == hers.count)
    #expect(try videos(bob, "&shorts=show") == hers)
  }

  @Test("A date is kept for a channel that the first poll has yet to read")
  func seenBefore() throws {
    try follow(TwoUsers.science, by: ann, more: #","seenBefore":"2099-01-01""#)
    try follow(TwoUsers.science, by: bob)
    try poll()
    #expect(try videos(ann, "&shorts=show").isEmpty)
    let watched = try videos(ann, "&shorts=show&status=watched")
    #expect(try Set(watched) == Set(videos(bob, "&shorts=show")) && !watched.isEmpty)
    // What is marked as new again stays new.
    #expect(try mark(watched[0], #""status":"new""#, by: ann).json["changed"] == 1)
    #expect(try videos(ann, "&shorts=show") == [watched[0]])
  }

  @Test("The main one of two kinds of a channel's feed is polled")
  func forms() throws {
    try follow(TwoUsers.science, by: ann)
    try follow(TwoUsers.science, by: bob)
    let path = "/api/v1/channels/" + TwoUsers.science
    #expect(try hub.send("PATCH", path, json: #"{"feed":"videos"}"#, ann).status == 200)
    try poll()
    let targets = sandbox.server.requests.map(\.target)
    #expect(targets.count { $0.contains("channel_id=" + TwoUsers.science) } == 1)
    #expect(try hub.get(path, ann).json["feed"]?.string == "videos")
  }

  // MARK: Folders

  @Test("A removed user's log is kept, and a new user of the name begins with nothing", .ofFiles)
  func removed() throws {
    _ = try decide()
    let outcome = try sandbox.hub(["user", "remove", "ann", "--data", sandbox.hubData])
    #expect(outcome.status == 0 && outcome.text.contains("is kept in \(sandbox.hubData)/removed/ann-"))
    #expect(try hub.get("/api/v1/videos", ann).status == 401)
    #expect(sandbox.folder.names(in: "hub/users") == ["bob"])
    // As a request that was admitted before the removal: it must not make the folder anew.
    rename("\(sandbox.hubData)/users/bob", "\(sandbox.hubData)/bob")
    #expect(try hub.get("/api/v1/videos", bob).status == 401)
    #expect(sandbox.folder.names(in: "hub/users").isEmpty)
    rename("\(sandbox.hubData)/bob", "\(sandbox.hubData)/users/bob")
    let kept = try #require(sandbox.folder.names(in: "hub/removed").first)
    #expect(sandbox.lines("hub/removed/\(kept)").contains { $0.contains("her note") })
    try sandbox.addUser("ann")
    let again = try sandbox.bearer("ann")
    #expect(try videos(again, "&all=true").isEmpty)
    #expect(try hub.get("/api/v1/collections", again).json["collections"]?.elements?.isEmpty == true)
    #expect(try sandbox.hub(["user", "list", "--removed"] + sandbox.hubOptions).lines == [kept])
    for name in ["../users/bob", "ann", ""] {
      #expect(try sandbox.hub(["user", "erase", name] + sandbox.hubOptions).errors.contains("no removed user"))
    }
    #expect(try sandbox.hub(["user", "erase", kept] + sandbox.hubOptions).text == "\(kept): erased\n")
    #expect(sandbox.folder.names(in: "hub/removed").isEmpty && sandbox.folder.names(in: "hub/users") == ["ann", "bob"])
  }

  @Test("A person's home is taken over with every mark, and stays as it is", .ofFiles)
  func takenOver() throws {
    try sandbox.succeed("follow", "--tag", "science", TwoUsers.science)
    try sandbox.succeed("poll", "--rate", "0")
    let list = try sandbox.list().map(\.video)
    try sandbox.succeed("watched", list[0])
    try sandbox.succeed("collection", "add", "Later", list[1])
    let before = sandbox.log
    try sandbox.addUser("eve", "--from", sandbox.folder.path)
    let eve = try sandbox.bearer("eve")
    #expect(try videos(eve) == sandbox.list().map(\.video))
    #expect(try videos(eve, "&status=watched") == [list[0]])
    #expect(try hub.get("/api/v1/collections/Later", eve).json.texts("videos", of: "video") == [list[1]])
    #expect(sandbox.log == before)
    try poll()
    #expect(try videos(eve) == Array(list.dropFirst()), "found again, but not new again")
    let twice = try sandbox.hub(
      ["user", "add", "ann", "--data", sandbox.hubData, "--from", sandbox.folder.path], input: Sandbox.password + "\n")
    #expect(twice.status == 1 && twice.errors.contains("already a user"))
    let none = try sandbox.hub(
      ["user", "add", "fay", "--data", sandbox.hubData, "--from", "/nowhere"], input: Sandbox.password + "\n")
    #expect(none.status == 65 && !sandbox.folder.names(in: "hub/users").contains("fay"))
  }

  @Test("One person's home has one user")
  func folders() throws {
    #expect(try sandbox.hub(["user", "add", "me"], input: Sandbox.password + "\n").status == 0)
    let second = try sandbox.hub(["user", "add", "you"], input: Sandbox.password + "\n")
    #expect(second.status == 64 && second.errors.contains("--data"), "\(second.errors)")
    #expect(try sandbox.hub(["user", "list", "--data", "x", "--home", "y"]).status == 64)
  }

  @Test(
    "A backup while the hub runs restores every user's lists and marks, and numbers go on beyond those given since",
    .ofFiles)
  func backup() throws {
    let hers = try decide()
    let before = try hub.get("/api/v1/videos?all=true&shorts=show&limit=500", ann).json["videos"]
    try sandbox.addUser("eve")
    let eve = try sandbox.bearer("eve")
    let file = sandbox.folder.path + "/hub.tar"
    let written = try sandbox.hub(["backup", file, "--data", sandbox.hubData])
    #expect(written.status == 0 && written.text.hasPrefix("\(file): "), "\(written.errors)")
    // Numbers that the backup does not know.
    try follow(TwoUsers.other, by: ann)
    let given = try numbers(ann).values.max() ?? 0
    _ = try hub.end()
    let restored = sandbox.folder.path + "/restored"
    mkdir(restored, 0o700)
    #expect(try Program(path: "/bin/tar", environment: [:]).run(["-xf", file, "-C", restored]).status == 0)
    let again = try RunningHub(sandbox, "--data", restored, "--listen", "127.0.0.1:0")
    #expect(try again.get("/api/v1/videos?all=true&shorts=show&limit=500", ann).json["videos"] == before)
    #expect(try again.get("/api/v1/collections/Her%20list", ann).json.texts("videos", of: "video").count == 1)
    #expect(try again.get("/api/v1/collections/Her%20list", bob).status == 404)
    #expect(try again.get("/api/v1/videos", eve).json["videos"]?.elements?.isEmpty == true, "a user without events")
    let body = #"{"channels":["\#(TwoUsers.other)"]}"#
    #expect(try again.send("POST", "/api/v1/channels", json: body, ann).status == 200)
    let all = try again.get("/api/v1/videos?all=true&shorts=show&limit=500", ann).json["videos"]?.elements ?? []
    let new = all.filter { $0["channel"]?.string == TwoUsers.other }.compactMap { $0["number"]?.number }
    #expect(!new.isEmpty && new.allSatisfy { $0 > Double(given) })
    #expect(try sandbox.hub(["backup", "/nowhere/hub.tar", "--data", sandbox.hubData]).status == 74)
    withExtendedLifetime(hers) {}
  }

  /// The numbers of all videos of a user.
  private func numbers(_ user: String) throws -> [String: Int] {
    let videos = try hub.get("/api/v1/videos?all=true&shorts=show&limit=500", user).json["videos"]?.elements ?? []
    return Dictionary(
      uniqueKeysWithValues: videos.compactMap { video in
        video["video"]?.string.flatMap { id in video["number"]?.number.map { (id, Int($0)) } }
      })
  }

  @Test("Numbers stay the same without the cache, after a compaction and a restart, and are each user's own", .ofFiles)
  func numbers() throws {
    try follow(TwoUsers.science, TwoUsers.other, by: ann)
    try poll()
    let before = try numbers(ann)
    #expect(Set(before.values).count == before.count && before.values.allSatisfy { (1..<1 << 31).contains($0) })
    let page = try hub.get("/api/v1/videos?all=true&shorts=show&limit=500&sort=found&oldest=true", ann).json
    let inOrder = (page["videos"]?.elements ?? []).compactMap { $0["number"]?.number }
    #expect(inOrder.count == before.count)
    try follow(TwoUsers.science, by: bob)
    let his = try numbers(bob)
    #expect(!his.isEmpty && his.count < before.count)
    _ = try hub.end()
    for folder in ["users/ann", "catalogue"] {
      _ = try Program(path: "/bin/rm", environment: [:]).run(["-rf", "\(sandbox.hubData)/\(folder)/cache"])
      #expect(try sandbox.run("log", "compact", "--home", "\(sandbox.hubData)/\(folder)").status == 0)
    }
    let again = try sandbox.runHub()
    let videos = try again.get("/api/v1/videos?all=true&shorts=show&limit=500", ann).json["videos"]?.elements ?? []
    for video in videos {
      #expect(video["number"]?.number.map { Int($0) } == video["video"]?.string.flatMap { before[$0] })
    }
    #expect(videos.count == before.count)
  }
}
