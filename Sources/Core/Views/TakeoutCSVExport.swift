extension SubscriptionDocument {
  /// Google Takeout's `subscriptions.csv`: channels alone, with their titles (RFC 4180).
  ///
  /// Values are written as they are, also those a spreadsheet would take for formulas: Takeout does, and programs read
  /// this.
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
    // By scalars, for "\r\n" is one Character.
    guard value.unicodeScalars.contains(where: { [",", "\"", "\n", "\r"].contains($0) }) else { return value }
    return "\"" + value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
