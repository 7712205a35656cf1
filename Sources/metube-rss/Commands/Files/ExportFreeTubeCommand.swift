import ArgumentParser
import Core
import Exporters

/// `export freetube`: writes the subscriptions as FreeTube profiles.
struct ExportFreeTubeCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    commandName: "freetube", abstract: "Write your subscriptions as FreeTube profiles.",
    discussion: """
      Exports channels with their titles; each tag becomes a profile.

      Examples:
        metube-rss export freetube --output freetube.db
      """)
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .freeTube(of: state) }
}
