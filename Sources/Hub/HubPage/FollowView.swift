import Core
import Terminal

/// What a search on YouTube costs, with the button that pays it.
package struct SearchOffer: Sendable {
  /// `100 of 4900 units`, or `with yt-dlp`.
  package var price: String
  /// Whether the day's budget has the units.
  package var isAffordable: Bool

  package init(price: String, isAffordable: Bool) { (self.price, self.isAffordable) = (price, isAffordable) }

  /// The button with what it needs to know.
  func html(to path: PagePath, _ fields: [(name: String, value: String)]) -> HTML {
    let inputs: [HTML] = fields.map { #"<input type="hidden" name="\#($0.name)" value="\#($0.value)">"# }
    return #"""
      <form class="all" method="post" action="\#(path.description)">\#(inputs)<button name="action" value="search"\#(" disabled", if: !isAffordable)>\#(Icon.search)Search YouTube (\#(price))</button></form>
      """#
  }
}

/// The channels that a name may mean, to choose from.
package struct FollowView: Sendable {
  package var name: String
  /// The tags and the date that what is chosen gets, as they were typed.
  package var tag: String
  package var seenBefore: String
  package var known: [ChannelMatch]
  /// What YouTube found; nil if it was not searched.
  package var found: [ChannelMatch]?
  package var offer: SearchOffer?
  /// Why what was typed cannot be followed; nil before anything was.
  package var problem: String?

  package init(
    name: String, tag: String, seenBefore: String, known: [ChannelMatch], found: [ChannelMatch]?, offer: SearchOffer?,
    problem: String?
  ) {
    (self.name, self.tag, self.seenBefore) = (name, tag, seenBefore)
    (self.known, self.found, self.offer, self.problem) = (known, found, offer, problem)
  }

  package func html(in frame: PageFrame) -> HTML {
    let ids = Set(known.map(\.channel))
    let others = found?.filter { !ids.contains($0.channel) } ?? []
    return #"""
      <div class="heading"><h1>Follow</h1>\#(#"<p class="summary" dir="auto">“\#(name)”</p>"#, if: !name.isEmpty)</div>
      \#(problem.map { #"<p class="notice problem" role="alert">\#($0)</p>"# as HTML })
      \#(FollowForm(frame: frame, source: name, tag: tag, seenBefore: seenBefore).html)
      \#(ChoiceList(choices: known, fields: fields, frame: frame).html(titled: "Known here", "known"))
      \#(#"<p class="end">No channel of this name is known here.</p>"#, if: known.isEmpty && !name.isEmpty && problem == nil)
      \#(ChoiceList(choices: others, fields: fields, frame: frame).html(titled: "On YouTube", "youtube"))
      \#(#"<p class="end">YouTube found nothing\#(" else", if: !known.isEmpty).</p>"#, if: found != nil && others.isEmpty)
      \#(name.isEmpty || found != nil ? nil : offer?.html(to: PagePath(["follow"]), [(name: "source", value: name)] + fields))
      """#
  }

  private var fields: [(name: String, value: String)] {
    [(name: "tag", value: tag), (name: "seenBefore", value: seenBefore)].filter { !$0.value.isEmpty }
  }
}

/// Channels, each with what follows it.
struct ChoiceList {
  let choices: [ChannelMatch]
  /// What else the forms send.
  let fields: [(name: String, value: String)]
  let frame: PageFrame

  func html(titled title: String, _ id: String) -> HTML {
    guard !choices.isEmpty else { return "" }
    return #"""
      <section class="day" aria-labelledby="\#(id)"><h2 id="\#(id)">\#(title)</h2>
      <ul class="rows channels">
      \#(choices.map(line))</ul></section>
      """#
  }

  private func line(_ choice: ChannelMatch) -> HTML {
    let id = choice.channel.description
    // Of one that an imported file alone names there is no page here.
    let isKnown = choice.source == .followed || choice.source == .unfollowed
    let name: HTML =
      isKnown
      ? #"<a href="/channels/\#(id)" dir="auto">\#(choice.title)</a>"#
      : #"<a href="\#(choice.channel.url)" rel="noreferrer" dir="auto">\#(choice.title)</a>"#
    let about = choice.description.map { #"<small dir="auto">\#(DisplayText($0).cut(to: 120).text)</small>"# as HTML }
    return #"""
      <li>\#(AvatarImage(url: choice.avatar).html)<div class="name">\#(name)<small>\#(details(choice))</small>\#(about)</div>\#(button(choice))</li>

      """#
  }

  /// `followed earlier · 1.23M subscribers`.
  private func details(_ choice: ChannelMatch) -> String {
    let subscribers = choice.subscribers.map { "\(ChannelRow.short($0)) subscribers" }
    return [choice.source.text, subscribers].compactMap(\.self).joined(separator: " · ")
  }

  private func button(_ choice: ChannelMatch) -> HTML {
    guard choice.source != .followed else { return #"<span class="chip">followed</span>"# }
    let inputs: [HTML] = fields.map { #"<input type="hidden" name="\#($0.name)" value="\#($0.value)">"# }
    return #"""
      <form method="post" action="/follow"><input type="hidden" name="source" value="\#(choice.channel.description)"><input type="hidden" name="back" value="\#(frame.path.description)">\#(inputs)<button aria-label="Follow \#(choice.title)">\#(Icon.add)Follow</button></form>
      """#
  }
}
