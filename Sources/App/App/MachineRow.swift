import Core
import Exporters

/// A row that can be written in the machine-readable formats.
package protocol MachineRow: ExportedRow {
  /// The identifier that commands accept.
  var id: String { get }
  /// Its URL; nil if absent.
  var page: String? { get }
}

extension VideoRow: MachineRow {
  package var id: String { video.description }
  package var page: String? { url }
}

extension ChannelRow: MachineRow {
  package var id: String { channel.description }
  package var page: String? { url }
}

extension WatchedRow: MachineRow {
  package var id: String { row.id }
  package var page: String? { row.url }
}

extension ChannelMatch: MachineRow {
  package var id: String { channel.description }
  package var page: String? { channel.url }
}
