/// What a person prefers of the page.
package struct PageLook: Sendable {
  /// `system`, `light` or `dark`.
  package var theme = "system"
  /// `comfortable` or `compact`.
  package var density = "comfortable"
  /// When a video that plays counts as watched: `90%`, `30s`.
  package var watchedAt = "90%"
  package var playsNext = true
  /// The playback speed, and those of channels that have their own, by ID.
  package var speed = "1"
  package var channelSpeeds: [String: String] = [:]

  package init() {}

  /// The attributes of the document's root.
  var attributes: HTML {
    #"\#(#" data-theme="\#(theme)""#, if: theme != "system")\#(#" data-density="\#(density)""#, if: density != "comfortable")"#
  }

  /// What the player reads.
  var player: HTML {
    #" data-watched-at="\#(watchedAt)" data-autoplay="\#(playsNext ? "yes" : "no")" data-speed="\#(speed)""#
  }

  /// The attribute of a video of a channel whose speed is its own.
  func speed(of channel: String) -> HTML {
    channelSpeeds[channel].map { #" data-speed="\#($0)""# } ?? ""
  }

  /// The colour schemes of the document.
  var schemes: HTML {
    let colors: [(scheme: String, color: String)] = [("light", "#ffffff"), ("dark", "#131417")]
    let chosen = colors.first { $0.scheme == theme }?.color
    let lines: [HTML] = colors.map { scheme, color in
      let shown = chosen ?? color
      return #"<meta name="theme-color" media="(prefers-color-scheme: \#(scheme))" content="\#(shown)">"#
    }
    return #"<meta name="color-scheme" content="\#(theme == "system" ? "light dark" : theme)">\#(lines)"#
  }
}
