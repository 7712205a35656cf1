import Testing

@Suite("Texts that begin with -")
struct DashTextTests {
  @Test(
    "What was taken for an option is told how to be written",
    arguments: [
      (["note", "dQw4w9WgXcQ", "- ask Ann"], "-- '- ask Ann'"), (["list", "--search", "-foo"], "--search='-foo'"),
      (["channel", "set", "NASA", "--title", "-x y"], "--title='-x y'"),
    ])
  func hints(arguments: [String], hint: String) throws {
    let outcome = try Sandbox().program.run(arguments)
    #expect(outcome.status == 64 && outcome.errors.contains(hint), "\(outcome.errors)")
  }

  @Test("As the hint says, they are taken")
  func followed() throws {
    let sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
    try sandbox.succeed("note", threeVideos[1].id, "--", "- ask Ann")
    #expect(try sandbox.succeed("note", threeVideos[1].id) == "- ask Ann\n")
    #expect(try sandbox.list("--search=-foo").isEmpty)
  }

  @Test("An option that is mistyped gets no such hint")
  func mistyped() throws {
    let outcome = try Sandbox().run("list", "--serch", "foo")
    #expect(outcome.status == 64 && !outcome.errors.contains("begins with -"))
  }
}
