import Testing

@testable import Commands

@Test(
  "A failing disk or a lock ends a command with its own status, and is no unknown video",
  arguments: [
    (.partial, true), (.usage, true), (.invalidInput, true), (.disk, false), (.temporaryFailure, false),
  ] as [(Commands.ExitStatus, Bool)])
func ofInput(status: Commands.ExitStatus, isOfInput: Bool) {
  #expect(Failure(status, "").isOfInput == isOfInput)
}
