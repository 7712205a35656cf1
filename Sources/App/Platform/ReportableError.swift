/// An error that a module throws as evidence. A message is made of it in one place, beside those of other errors: in a
/// file `UserMessages+…`, or in Platform `…+Message`. Front ends with messages of their own look at the evidence of the
/// failure.
package protocol ReportableError: Error {
  /// Its message and exit status.
  var failure: Failure { get }
}

extension Failure {
  /// The failure of what an error says, which stays with it as evidence.
  package init(_ error: some ReportableError) {
    self = error.failure
    evidence = error
  }
}
