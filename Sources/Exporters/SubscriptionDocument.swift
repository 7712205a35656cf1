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

  /// Appends a JSON string with quotes.
  mutating func writeJSON(_ text: String) { JSONText.quote(text, into: &bytes) }
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
    write("{\"_id\":")
    writeJSON(id)
    write(",\"name\":")
    writeJSON(name)
    write(",\"bgColor\":\"#3f51b5\",\"textColor\":\"#ffffff\",\"subscriptions\":[")
    for (index, channel) in channels.enumerated() {
      write(index == 0 ? "{\"id\":" : ",{\"id\":")
      writeJSON(channel.id.description)
      write(",\"name\":")
      writeJSON(channel.exportedTitle)
      write(",\"thumbnail\":\"\"}")
    }
    write("]}\n")
  }
}

extension SubscriptionDocument {
  /// The subscriptions file of NewPipe and its forks: channels and unresolved names with their titles, but no
  /// playlists, which NewPipe does not have as subscriptions.
  ///
  /// `{"app_version":"…","app_version_int":0,"subscriptions":[{"service_id":0,"url":"…","name":"…"}]}`
  package static func newPipe(of state: State) -> SubscriptionDocument {
    var document = SubscriptionDocument()
    document.write("{\"app_version\":\"0.27.0\",\"app_version_int\":997,\"subscriptions\":[")
    for channel in state.followed {
      guard channel.id.channel != nil else {
        document.leftOut += 1
        continue
      }
      document.writeNewPipe(url: channel.id.url, name: channel.exportedTitle)
    }
    for name in state.unresolved { document.writeNewPipe(url: name.page, name: name.title ?? name.handle) }
    document.write("\n]}\n")
    return document
  }

  /// Appends one subscription; service 0 is YouTube.
  private mutating func writeNewPipe(url: String, name: String) {
    write(count == 0 ? "\n{\"service_id\":0,\"url\":" : ",\n{\"service_id\":0,\"url\":")
    writeJSON(url)
    write(",\"name\":")
    writeJSON(name)
    write("}")
    count += 1
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
