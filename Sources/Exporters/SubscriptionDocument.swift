import Core

/// The subscriptions, exported for another program.
package struct SubscriptionDocument: Equatable, Sendable {
  package var bytes: [UInt8] = []
  /// The number of subscriptions and unresolved names in the document.
  package var count = 0
  /// The number left out because the format cannot represent them: playlists, unresolved names.
  package var leftOut = 0

  /// Appends a raw string.
  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

extension Channel {
  /// The title for export; empty if unknown, because an ID is not a title.
  var exportedTitle: String { hasTitle ? title : "" }
}

extension SubscriptionDocument {
  /// FreeTube's profiles, one per line: all channels, then one profile per tag. Playlists and unresolved names cannot
  /// be represented.
  ///
  /// `{"_id":"allChannels","name":"All Channels","bgColor":"#3f51b5","textColor":"#ffffff","subscriptions":[…]}`
  package static func freeTube(of state: State) -> SubscriptionDocument {
    var document = SubscriptionDocument()
    let channels = state.followed.filter { $0.id.channel != nil }
    document.count = channels.count
    document.leftOut = state.followed.count - channels.count + state.unresolved.count
    document.writeProfile("allChannels", name: "All Channels", channels)
    for tag in Set(channels.flatMap(\.tags)).sorted() {
      let id = "metube-rss-\(String(Fingerprint.of(tag), radix: 16))"
      document.writeProfile(id, name: tag, channels.filter { $0.tags.contains(tag) })
    }
    return document
  }

  private mutating func writeProfile(_ id: String, name: String, _ channels: [Channel]) {
    var profile = JSONLine()
    profile.add("_id", id)
    profile.add("name", name)
    profile.add("bgColor", "#3f51b5")
    profile.add("textColor", "#ffffff")
    profile.add(
      "subscriptions",
      objects: channels.map { channel in
        var line = JSONLine()
        line.add("id", channel.id.description)
        line.add("name", channel.exportedTitle)
        line.add("thumbnail", "")
        return line
      })
    bytes += profile.object + [UInt8(ascii: "\n")]
  }
}

extension SubscriptionDocument {
  /// The subscriptions file of NewPipe and its forks: channels and unresolved names with their titles, but no
  /// playlists, which NewPipe does not have as subscriptions.
  ///
  /// `{"app_version":"…","app_version_int":0,"subscriptions":[{"service_id":0,"url":"…","name":"…"}]}`
  package static func newPipe(of state: State) -> SubscriptionDocument {
    let channels = state.followed.filter { $0.id.channel != nil }
    let lines =
      channels.map { newPipe(url: $0.id.url, name: $0.exportedTitle) }
      + state.unresolved.map { newPipe(url: $0.page, name: $0.title ?? $0.handle) }
    var file = JSONLine()
    file.add("app_version", "0.27.0")
    file.add("app_version_int", 997)
    file.add("subscriptions", objects: lines)
    return SubscriptionDocument(
      bytes: file.object + [UInt8(ascii: "\n")], count: lines.count, leftOut: state.followed.count - channels.count)
  }

  /// One subscription; service 0 is YouTube.
  private static func newPipe(url: String, name: String) -> JSONLine {
    var line = JSONLine()
    line.add("service_id", 0)
    line.add("url", url)
    line.add("name", name)
    return line
  }
}

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
