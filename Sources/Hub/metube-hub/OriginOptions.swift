import ArgumentParser
import HubPage

/// Where the page's players and thumbnails come from.
struct OriginOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("The origin of embedded players, for tests.", valueName: "url", visibility: .hidden))
  var embedOrigin: PublicURL?
  @Option(
    name: .long, help: ArgumentHelp("The origin of thumbnails, for tests.", valueName: "url", visibility: .hidden))
  var thumbnailOrigin: PublicURL?

  /// The settings of the page of a hub at `publicURL`; nil if only this machine uses it.
  func settings(at publicURL: PublicURL?) -> PageSettings {
    PageSettings(
      embedOrigin: embedOrigin?.text ?? PageSettings.youTube.embedOrigin,
      thumbnailOrigin: thumbnailOrigin?.text ?? PageSettings.youTube.thumbnailOrigin, base: publicURL?.base ?? "")
  }
}
