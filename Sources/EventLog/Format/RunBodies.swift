import Core

extension RunFinished: LineBody {
  static func coded(_ body: RunFinished?, by coder: inout some MemberCoder) -> RunFinished? {
    guard let checked = coder.member("checked", body?.checked),
      let notDue = coder.member("notDue", body?.notDue),
      let failed = coder.member("failed", body?.failed),
      let new = coder.member("new", body?.new),
      let changed = coder.member("changed", body?.changed),
      let gaps = coder.member("gaps", body?.gaps),
      let outage = coder.member("outage", body?.outage),
      let milliseconds = coder.member("milliseconds", body?.milliseconds),
      let bytes = coder.member("bytes", body?.bytes)
    else { return nil }
    return RunFinished(
      checked: checked, notDue: notDue, failed: failed, new: new, changed: changed, gaps: gaps, outage: outage,
      stopped: coder.option("stopped", body?.stopped), milliseconds: milliseconds, bytes: bytes,
      failing: coder.unlessEmpty("failing", body?.failing), recovered: coder.unlessEmpty("recovered", body?.recovered))
  }
}

extension GapFound: LineBody {
  static func coded(_ body: GapFound?, by coder: inout some MemberCoder) -> GapFound? {
    guard let subscription = coder.member("subscription", body?.subscription),
      let after = coder.member("after", body?.after), let before = coder.member("before", body?.before)
    else { return nil }
    return GapFound(subscription: subscription, after: after, before: before)
  }
}

extension GapClosed: LineBody {
  static func coded(_ body: GapClosed?, by coder: inout some MemberCoder) -> GapClosed? {
    guard let subscription = coder.member("subscription", body?.subscription),
      let gap = coder.member("gap", body?.gap)
    else { return nil }
    return GapClosed(subscription: subscription, gap: gap)
  }
}

extension MemberCoder {
  /// A list that is omitted if empty.
  fileprivate mutating func unlessEmpty(_ name: StaticString, _ list: [String]?) -> [String] {
    option(name, list?.isEmpty ?? true ? nil : list) ?? []
  }
}
