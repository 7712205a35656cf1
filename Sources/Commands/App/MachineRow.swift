import Core
import Exporters

/// A row that can be written in the machine-readable formats.
package protocol MachineRow: ExportedRow {
  /// The identifier that commands accept.
  package var id: String { get }
  /// Its URL; nil if absent.
  package var page: String? { get }
}

extension VideoRow: MachineRow {
  var id: String { video.description }
  var page: String? { url }
}

extension ChannelRow: MachineRow {
  var id: String { channel.description }
  var page: String? { url }
}

extension WatchedRow: MachineRow {
  var id: String { row.id }
  var page: String? { row.url }
}
