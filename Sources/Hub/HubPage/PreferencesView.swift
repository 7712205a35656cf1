import Core

/// The preferences, as one form.
package struct PreferencesView: Sendable {
  /// One preference of the form.
  package struct Line: Sendable {
    package var row: PreferenceRow
    /// What the person set; nil for the default.
    package var value: String?
    package var standard: String

    package init(row: PreferenceRow, value: String?, standard: String) {
      (self.row, self.value, self.standard) = (row, value, standard)
    }
  }

  /// A channel that plays at a speed of its own.
  package struct ChannelSpeed: Sendable {
    package var title: String
    package var id: SubscriptionID
    package var speed: String

    package init(title: String, id: SubscriptionID, speed: String) {
      (self.title, self.id, self.speed) = (title, id, speed)
    }
  }

  package var lines: [Line]
  package var channelSpeeds: [ChannelSpeed]

  package init(lines: [Line], channelSpeeds: [ChannelSpeed]) {
    (self.lines, self.channelSpeeds) = (lines, channelSpeeds)
  }

  package func html(in frame: PageFrame) -> HTML {
    let fields: [HTML] = lines.map(field)
    let channels: [HTML] = channelSpeeds.map { channel in
      #"""
      <li><span class="name"><a href="/channels/\#(channel.id.description)" dir="auto">\#(channel.title)</a></span><span class="badge">\#(channel.speed)×</span></li>

      """#
    }
    return #"""
      <div class="heading"><h1>Preferences</h1><p class="summary">They apply on every device that syncs with this hub.</p></div>
      <form class="panel" method="post" action="/settings/preferences"><div class="fields">
      \#(fields)</div><button class="main">Save preferences</button></form>
      \#(#"<section class="panel aside" aria-labelledby="speeds"><h2 id="speeds">Channels with a speed of their own</h2><ul class="rows">\#(channels)</ul></section>"#, if: !channels.isEmpty)
      """#
  }

  private func field(_ line: Line) -> HTML {
    let name = line.row.preference.rawValue
    guard case .choice(let choices) = line.row.values else {
      return Fields.text(
        name, line.row.title, value: line.value ?? "", hint: line.row.summary, placeholder: line.standard)
    }
    let options = [("", "default (\(line.standard))")] + choices.map { ($0, $0) }
    return Fields.select(name, line.row.title, options, chosen: line.value ?? "", hint: line.row.summary)
  }
}
