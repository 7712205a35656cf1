import App
import Core
import Exporters
import Platform

/// Rows in the machine-readable formats.
package enum RowFormat {
  /// Writes objects as one JSON array, one object per line.
  package static func write(_ objects: [JSONLine], to output: inout Output) {
    output.write("[")
    for (position, object) in objects.enumerated() {
      output.write(position == 0 ? "\n" : ",\n")
      output.write(object.object)
    }
    output.write("\n]\n")
  }

  /// Writes rows in any format but `table`.
  package static func write(_ rows: [some MachineRow], as format: OutputFormat, to output: inout Output) {
    switch format {
    case .table: break
    case .jsonl: for row in rows where !output.isBroken { output.write(row.json.object + [10]) }
    case .json: write(rows.map(\.json), to: &output)
    case .csv, .tsv:
      var bytes: [UInt8] = []
      (format == .csv ? SeparatedValues.commas : .tabs).append(rows, to: &bytes)
      output.write(bytes)
    case .ids: for row in rows { output.write("\(row.id)\n") }
    case .urls: for row in rows { if let url = row.page { output.write("\(url)\n") } }
    }
  }
}
