import Testing

@testable import Platform

@Test(
  "A failing disk or a lock ends a command with its own status, and is no unknown video",
  arguments: [
    (.partial, true), (.usage, true), (.invalidInput, true), (.disk, false), (.temporaryFailure, false),
  ] as [(Platform.ExitStatus, Bool)])
func ofInput(status: Platform.ExitStatus, isOfInput: Bool) {
  #expect(Failure(status, "").isOfInput == isOfInput)
}
