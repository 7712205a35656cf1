/// What narrows a list: a row of chips, a sheet with everything else, and the filters in force. The sheet is a popover,
/// which opens, closes and gives the focus back without script.
package struct FilterBar: Sendable {
  /// Links of one kind in the sheet.
  package struct Group: Sendable {
    package var name: String
    package var choices: [FeedView.Choice]

    package init(_ name: String, _ choices: [FeedView.Choice]) { (self.name, self.choices) = (name, choices) }
  }

  /// The limits of length and date, as fields of the sheet.
  package struct Limits: Sendable {
    package var path: PagePath
    /// The parameters of the list besides the limits.
    package var others: [(name: String, value: String)]
    /// The limits in force, by name.
    package var values: [String: String]

    /// The names of the parameters that are limits.
    package static let names = ["minDuration", "maxDuration", "since", "until"]

    package init(path: PagePath, others: [(name: String, value: String)], values: [String: String]) {
      (self.path, self.others, self.values) = (path, others, values)
    }
  }

  /// What the chips choose, and the chips.
  package var chips: Group
  package var groups: [Group]
  package var limits: Limits?
  /// Filters in force, each with the list without it.
  package var filters: [FeedView.Choice]

  package init(chips: Group, groups: [Group], limits: Limits?, filters: [FeedView.Choice]) {
    (self.chips, self.groups, self.limits, self.filters) = (chips, groups, limits, filters)
  }

  /// The chips, and the button of the sheet with the sheet itself.
  var html: HTML {
    let groups = groups.filter { !$0.choices.isEmpty }
    let tabs = FeedView.row(chips.name, chips.choices)
    guard !groups.isEmpty || limits != nil else { return tabs }
    let count: HTML = filters.isEmpty ? "" : #" <span class="badge">\#(filters.count)</span>"#
    return #"""
      \#(tabs)
      <button type="button" class="filter" popovertarget="filter" aria-haspopup="dialog">\#(Icon.rules)<span>Filter</span>\#(count)</button>
      <div id="filter" class="drawer" popover role="dialog" aria-labelledby="filter-title">
      <div class="drawer-head"><h2 id="filter-title">Filter</h2><button type="button" popovertarget="filter" popovertargetaction="hide" aria-label="Close the filters" title="Close">\#(Icon.skip)</button></div>
      \#(groups.map(FilterBar.links))
      \#(limits.map(FilterBar.fields))
      </div>
      """#
  }

  /// The filters in force, in one line; each link removes one.
  var inForce: HTML {
    guard !filters.isEmpty else { return "" }
    let links: [HTML] = filters.map { filter in
      #"<li><a href="\#(filter.path.description)" title="Remove this filter"><bdi>\#(filter.text)</bdi>\#(Icon.skip)<span class="vh">remove this filter</span></a></li>"#
    }
    return #"<nav class="filters" aria-label="Filters"><ul>\#(links)</ul></nav>"#
  }

  private static func links(_ group: Group) -> HTML {
    let links: [HTML] = group.choices.map { choice in
      #"<li><a href="\#(choice.path.description)"\#(#" aria-current="true""#, if: choice.isChosen) dir="auto">\#(choice.text)</a></li>"#
    }
    return #"<nav aria-label="\#(group.name)"><h3>\#(group.name)</h3><ul class="chips">\#(links)</ul></nav>"#
  }

  private static func fields(_ limits: Limits) -> HTML {
    let others: [HTML] = limits.others.map { #"<input type="hidden" name="\#($0.name)" value="\#($0.value)">"# }
    func field(_ name: String, _ label: String, type: String, placeholder: String) -> HTML {
      let value = limits.values[name] ?? ""
      // A span like `3d` fits no field of dates.
      let shown = type == "date" && !value.isEmpty && !FilterBar.isDay(value) ? "text" : type
      return
        #"<div class="field"><label for="l-\#(name)">\#(label)</label><input id="l-\#(name)" name="\#(name)" type="\#(shown)" value="\#(value)"\#(#" placeholder="\#(placeholder)""#, if: shown == "text") autocomplete="off"></div>"#
    }
    return #"""
      <form method="get" action="\#(limits.path.description)">\#(others)<div class="pair">
      \#(field("minDuration", "At least this long", type: "text", placeholder: "10m"))
      \#(field("maxDuration", "At most this long", type: "text", placeholder: "1h"))
      \#(field("since", "Published since", type: "date", placeholder: "7d"))
      \#(field("until", "Published before", type: "date", placeholder: "7d"))
      </div><button class="main">Apply</button></form>
      """#
  }

  /// Whether a text has the form of a day, `2026-11-28`.
  private static func isDay(_ text: String) -> Bool {
    text.wholeMatch(of: #/[0-9]{4}-[0-9]{2}-[0-9]{2}/#) != nil
  }
}
