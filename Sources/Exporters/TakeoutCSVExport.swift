import Core

extension SubscriptionDocument {
  /// Google Takeout's `subscriptions.csv`: channels only, with their titles (RFC 4180).
  ///
  /// Values are written unmodified, even those a spreadsheet would take for formulas: Takeout does the same, and the
  /// readers are programs.
  package static func takeoutCSV(of state: State) -> SubscriptionDocument {
    var document = SubscriptionDocument()
    document.leftOut = state.unresolved.count
    document.write("Channel Id,Channel Url,Channel Title\n")
    for channel in state.followed {
      guard let id = channel.id.channel else {
        document.leftOut += 1
        continue
      }
      document.write("\(id),http://www.youtube.com/channel/\(id),\(quoted(channel.exportedTitle))\n")
      document.count += 1
    }
    return document
  }

  private static func quoted(_ value: String) -> String {
    // Tests scalars, because "\r\n" is a single Character.
    guard value.unicodeScalars.contains(where: { [",", "\"", "\n", "\r"].contains($0) }) else { return value }
    return "\"" + value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
