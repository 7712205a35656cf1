extension HubProblem {
  /// What every door answers to a disabled user who has a right secret or password.
  package static let disabledUser = HubProblem(
    403, "this account is disabled; an administrator of this hub can enable it")

  /// Whether it is that answer.
  package var isOfDisabledUser: Bool { status == 403 && detail == HubProblem.disabledUser.detail }
}
