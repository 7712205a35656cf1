import App
import ArgumentParser
import Core
import Exporters
import Platform

/// An export of what the person watched, saved and collected.
protocol PersonalExporting: ExportingCommand {
  static var format: PersonalFormat { get }
  var options: SubscriptionExportOptions { get }
}

extension PersonalExporting {
  var common: CommonOptions { options.common }
  var writtenFolder: String? { options.file.folder }

  /// Also reports what the form cannot hold.
  func export(_ session: Session) throws -> String? {
    let export = PersonalExport(Self.format, in: session)
    var result = PersonalExport.Result()
    let isPrivate = Self.format == .archive
    let written = try options.file.write({ (result.count, result.noun) }, isPrivate: isPrivate, session.home) {
      result = try export.write(to: &$0)
    }
    let advice = Self.format == .archive ? "" : "; export archive has everything"
    let leftOut = result.leftOut.map { "not in this file: \($0)\(advice)" }
    let parts = [written, leftOut].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  func remark(_ session: Session) throws -> String? { nil }
}

// MARK: The formats

extension CommandConfiguration {
  /// The configuration of the export in a format; the last part of the help shows how to write a file.
  fileprivate init(_ format: PersonalFormat, _ abstract: String, _ discussion: String) {
    let name = format.rawValue
    self.init(
      commandName: name, abstract: abstract,
      discussion: "\(discussion)\n\nExamples:\n  metube-rss export \(name) --output \(format.fileName)")
  }
}

/// `export freetube-history`: writes what was watched as FreeTube's history.
struct ExportFreeTubeHistoryCommand: PersonalExporting {
  static let format = PersonalFormat.freeTubeHistory
  static let configuration = CommandConfiguration(
    format, "Write what you watched as FreeTube's history.",
    """
    Exports every watched video with its title, channel, time and position.
    metube-rss import reads the file too.
    """)
  @OptionGroup var options: SubscriptionExportOptions
}

/// `export freetube-playlists`: writes saved videos and collections as FreeTube's playlists.
struct ExportFreeTubePlaylistsCommand: PersonalExporting {
  static let format = PersonalFormat.freeTubePlaylists
  static let configuration = CommandConfiguration(
    format, "Write your collections as FreeTube's playlists.",
    """
    Exports each collection with its description, and what you saved as the
    playlist Watch Later. metube-rss import reads the file too.
    """)
  @OptionGroup var options: SubscriptionExportOptions
}

/// `export newpipe-backup`: writes subscriptions, history and playlists as NewPipe's backup.
struct ExportNewPipeBackupCommand: PersonalExporting {
  static let format = PersonalFormat.newPipeBackup
  static let configuration = CommandConfiguration(
    format, "Write subscriptions, history and playlists for NewPipe.",
    """
    Exports a backup as NewPipe 0.26 and later restores it (Settings, Backup and
    restore, Import database), which replaces what NewPipe has: channels with
    their tags as groups, what you watched with times and positions, collections,
    and what you saved as the playlist Saved. metube-rss import reads the file too.
    """)
  @OptionGroup var options: SubscriptionExportOptions
}

/// `export takeout-history`: writes what was watched as Google Takeout's history.
struct ExportTakeoutHistoryCommand: PersonalExporting {
  static let format = PersonalFormat.takeoutHistory
  static let configuration = CommandConfiguration(
    format, "Write what you watched as Google Takeout's history.",
    """
    Exports every watched video with its title, channel and time, as in
    watch-history.json. metube-rss import reads the file too.
    """)
  @OptionGroup var options: SubscriptionExportOptions
}

/// `export takeout-playlists`: writes saved videos and collections as Google Takeout's playlists.
struct ExportTakeoutPlaylistsCommand: PersonalExporting {
  static let format = PersonalFormat.takeoutPlaylists
  static let configuration = CommandConfiguration(
    format, "Write your collections as Google Takeout's playlists.",
    """
    Exports a zip file with a CSV file for each collection that has videos, and one
    for what you saved. metube-rss import reads the file too.
    """)
  @OptionGroup var options: SubscriptionExportOptions
}

/// `export invidious`: writes subscriptions, history and playlists as JSON for Invidious.
struct ExportInvidiousCommand: PersonalExporting {
  static let format = PersonalFormat.invidious
  static let configuration = CommandConfiguration(
    format, "Write subscriptions, history and playlists for Invidious.",
    """
    Exports channels, what you watched, collections with their descriptions, and
    what you saved as the playlist Saved. The format has no times of watching.
    metube-rss import reads the file too.
    """)
  @OptionGroup var options: SubscriptionExportOptions
}

/// `export archive`: writes everything, for another home.
struct ExportArchiveCommand: PersonalExporting {
  static let format = PersonalFormat.archive
  static let configuration = CommandConfiguration(
    format, "Write everything you have, for another home of metube-rss.",
    """
    Exports the logs of all your devices: subscriptions, tags, what you watched,
    saved and collected, notes, rules, positions, and all videos found. After
    metube-rss import another home or hub has the same state; importing it again
    changes nothing. Settings of this machine, such as keys, are not in it.
    """)
  @OptionGroup var options: SubscriptionExportOptions
}
