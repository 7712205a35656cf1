/// The script of the page: modules of one idea each (Assets/script), served as one file.
package enum PageScript {
  /// A module as its file has it; its name is that of the file: `queue.mjs`.
  package struct Module: Sendable {
    package let name: String
    package let source: [UInt8]

    /// A module of this name with this text.
    package init(_ name: String, _ source: [UInt8]) {
      (self.name, self.source) = (name, source)
    }
  }

  /// All modules, each after those that it imports: they run in this order.
  package static let modules = [
    Module("page.mjs", PackageResources.page_mjs), Module("storage.mjs", PackageResources.storage_mjs),
    Module("clock.mjs", PackageResources.clock_mjs),
    Module("messages.mjs", PackageResources.messages_mjs), Module("queue.mjs", PackageResources.queue_mjs),
    Module("connection.mjs", PackageResources.connection_mjs), Module("sending.mjs", PackageResources.sending_mjs),
    Module("cards.mjs", PackageResources.cards_mjs), Module("selection.mjs", PackageResources.selection_mjs),
    Module("list.mjs", PackageResources.list_mjs), Module("preferences.mjs", PackageResources.preferences_mjs),
    Module("views.mjs", PackageResources.views_mjs), Module("filter.mjs", PackageResources.filter_mjs),
    Module("paging.mjs", PackageResources.paging_mjs),
    Module("playing.mjs", PackageResources.playing_mjs),
    Module("steps.mjs", PackageResources.steps_mjs), Module("marks.mjs", PackageResources.marks_mjs),
    Module("menu.mjs", PackageResources.menu_mjs), Module("times.mjs", PackageResources.times_mjs),
    Module("protocol.mjs", PackageResources.protocol_mjs), Module("player.mjs", PackageResources.player_mjs),
    Module("live.mjs", PackageResources.live_mjs), Module("forms.mjs", PackageResources.forms_mjs),
    Module("links.mjs", PackageResources.links_mjs), Module("keys.mjs", PackageResources.keys_mjs),
    Module("swipes.mjs", PackageResources.swipes_mjs), Module("start.mjs", PackageResources.start_mjs),
  ]

  /// Modules one after the other, without their lines of `import`, comments and the word `export`: since all names are in
  /// one scope then, no two modules may declare the same one.
  package static func joined(_ modules: [Module]) -> [UInt8] {
    var script: [UInt8] = []
    script.reserveCapacity(modules.reduce(0) { $0 + $1.source.count })
    for module in modules {
      if !script.isEmpty { script.append(newline) }
      for line in module.source.split(separator: newline, omittingEmptySubsequences: false).dropLast() {
        if line.starts(with: importing) || isComment(line) { continue }
        script += line.starts(with: exporting) ? line.dropFirst(exporting.count) : line
        script.append(newline)
      }
    }
    return script
  }

  /// Whether a line is a comment, or part of one of several lines.
  private static func isComment(_ line: ArraySlice<UInt8>) -> Bool {
    let text = line.drop { $0 == UInt8(ascii: " ") }
    return comments.contains { text.starts(with: $0) }
  }

  private static let newline = UInt8(ascii: "\n")
  private static let comments = ["//", "/**", "*"].map { Array($0.utf8) }
  private static let importing = Array("import ".utf8)
  private static let exporting = Array("export ".utf8)
}
