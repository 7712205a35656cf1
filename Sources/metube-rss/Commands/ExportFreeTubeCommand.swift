import ArgumentParser
import Core

/// `export freetube`: write what you follow as profiles of FreeTube.
struct ExportFreeTubeCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    commandName: "freetube", abstract: "Write what you follow as profiles of FreeTube.",
    discussion: """
      Channels with their titles; each tag becomes a profile.

      Examples:
        metube-rss export freetube --output freetube.db
      """)
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .freeTube(of: state) }
}
