import Core

/// The subscriptions, exported for another program.
package struct SubscriptionDocument: Equatable, Sendable {
  package var bytes: [UInt8] = []
  /// The number of subscriptions and unresolved names in the document.
  package var count = 0
  /// The number left out because the format cannot represent them, such as playlists, or because they are private.
  package var leftOut = 0
}

extension SubscriptionDocument {
  /// A document of the followed channels, and of the unresolved names if the format has them; never of playlists.
  private init(of state: State, hasNames: Bool, _ write: ([Channel]) -> [UInt8]) {
    let channels = state.followed.filter { $0.id.channel != nil }
    let named = hasNames ? state.unresolved.count : 0
    bytes = write(channels)
    count = channels.count + named
    leftOut = state.followed.count + state.unresolved.count - count
  }

  /// Google Takeout's `subscriptions.csv`: channels with their titles (RFC 4180).
  ///
  /// Values are written unmodified, even those a spreadsheet would take for formulas: Takeout does the same, and the
  /// readers are programs.
  package static func takeoutCSV(of state: State) -> SubscriptionDocument {
    SubscriptionDocument(of: state, hasNames: false) { channels in
      let lines = channels.map { channel in
        "\(channel.id),http://www.youtube.com/channel/\(channel.id),\(quoted(channel.exportedTitle))\n"
      }
      return Array(("Channel Id,Channel Url,Channel Title\n" + lines.joined()).utf8)
    }
  }

  private static func quoted(_ value: String) -> String {
    // Tests scalars, because "\r\n" is a single Character.
    guard value.unicodeScalars.contains(where: { [",", "\"", "\n", "\r"].contains($0) }) else { return value }
    return "\"" + value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// The subscriptions file of NewPipe and its forks: channels and unresolved names with their titles.
  ///
  /// `{"app_version":"…","app_version_int":0,"subscriptions":[{"service_id":0,"url":"…","name":"…"}]}`
  package static func newPipe(of state: State) -> SubscriptionDocument {
    SubscriptionDocument(of: state, hasNames: true) { channels in
      let rows =
        channels.map { (url: $0.id.url, name: $0.exportedTitle) }
        + state.unresolved.map { (url: $0.page, name: $0.title ?? $0.handle) }
      var file = JSONLine()
      file.add("app_version", "0.27.0")
      file.add("app_version_int", 997)
      file.add(
        "subscriptions",
        objects: rows.map { row in
          var line = JSONLine()
          line.add("service_id", 0)  // YouTube
          line.add("url", row.url)
          line.add("name", row.name)
          return line
        })
      return file.object + [UInt8(ascii: "\n")]
    }
  }

  /// FreeTube's profiles, one per line: all channels, then one profile per tag.
  ///
  /// `{"_id":"allChannels","name":"All Channels","bgColor":"#3f51b5","textColor":"#ffffff","subscriptions":[…]}`
  package static func freeTube(of state: State) -> SubscriptionDocument {
    SubscriptionDocument(of: state, hasNames: false) { channels in
      let tags = Set(channels.flatMap(\.tags)).sorted()
      return profile("allChannels", name: "All Channels", channels)
        + tags.flatMap { tag in
          profile(
            "metube-rss-\(String(Fingerprint.of(tag), radix: 16))", name: tag,
            channels.filter { $0.tags.contains(tag) })
        }
    }
  }

  private static func profile(_ id: String, name: String, _ channels: [Channel]) -> [UInt8] {
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
    return profile.object + [UInt8(ascii: "\n")]
  }
}

extension Channel {
  /// The title for export; empty if unknown, because an ID is not a title.
  var exportedTitle: String { hasTitle ? title : "" }
}
