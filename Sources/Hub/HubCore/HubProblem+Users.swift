extension HubProblem {
  /// The response of every API and the page to a disabled user whose secret or password is right.
  package static let disabledUser = HubProblem(
    403, "this account is disabled; an administrator of this hub can enable it")

  /// Whether it is that response.
  package var isOfDisabledUser: Bool { status == 403 && detail == HubProblem.disabledUser.detail }
}
