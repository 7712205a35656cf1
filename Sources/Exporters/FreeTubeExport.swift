import Core

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
