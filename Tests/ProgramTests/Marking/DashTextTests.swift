import Testing

@Suite("Values that begin with -")
struct DashTextTests {
  @Test(
    "The error for a value mistaken for an option says how to write it",
    arguments: [
      (["note", "dQw4w9WgXcQ", "- ask Ann"], "-- '- ask Ann'"), (["list", "--search", "-foo"], "--search='-foo'"),
      (["channel", "set", "NASA", "--title", "-x y"], "--title='-x y'"),
    ])
  func hints(arguments: [String], hint: String) throws {
    let outcome = try Sandbox().program.run(arguments)
    #expect(outcome.status == 64 && outcome.errors.contains(hint), "\(outcome.errors)")
  }

  @Test("Written as the hint says, they are accepted")
  func followed() throws {
    let sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
    try sandbox.succeed("note", threeVideos[1].id, "--", "- ask Ann")
    #expect(try sandbox.succeed("note", threeVideos[1].id) == "- ask Ann\n")
    #expect(try sandbox.list("--search=-foo").isEmpty)
  }

  @Test("A mistyped option gets no such hint")
  func mistyped() throws {
    let outcome = try Sandbox().run("list", "--serch", "foo")
    #expect(outcome.status == 64 && !outcome.errors.contains("begins with -"))
  }
}
