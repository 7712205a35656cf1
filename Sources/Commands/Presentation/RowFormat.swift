import Core
import Exporters

/// Rows in the machine-readable formats.
enum RowFormat {
  /// Writes video rows in any format but `table`.
  static func write(_ rows: [VideoRow], as format: OutputFormat, to output: inout Output) {
    switch format {
    case .table: break
    case .jsonl:
      for row in rows where !output.isBroken { output.write(row.json.object + [10]) }
    case .json: write(rows.map(\.json), to: &output)
    case .csv, .tsv:
      var bytes: [UInt8] = []
      (format == .csv ? SeparatedValues.commas : .tabs).append(rows, to: &bytes)
      output.write(bytes)
    case .ids: for row in rows { output.write("\(row.video)\n") }
    case .urls: for row in rows { output.write("\(row.url)\n") }
    }
  }

  /// Writes objects as one JSON array, one object per line.
  static func write(_ objects: [JSONLine], to output: inout Output) {
    output.write("[")
    for (position, object) in objects.enumerated() {
      output.write(position == 0 ? "\n" : ",\n")
      output.write(object.object)
    }
    output.write("\n]\n")
  }

  /// Writes other rows in any format but `table`.
  static func write(_ rows: [some MachineRow], as format: OutputFormat, to output: inout Output) {
    switch format {
    case .table: break
    case .jsonl: for row in rows { output.write(row.json.object + [10]) }
    case .json: write(rows.map(\.json), to: &output)
    case .csv, .tsv: writeValues(rows, format == .csv ? .commas : .tabs, to: &output)
    case .ids: for row in rows { output.write("\(row.id)\n") }
    case .urls: for row in rows { if let url = row.url { output.write("\(url)\n") } }
    }
  }

  private static func writeValues<Row: MachineRow>(
    _ rows: [Row], _ values: SeparatedValues, to output: inout Output
  ) {
    var bytes: [UInt8] = []
    values.append(Row.columns, to: &bytes)
    for row in rows { values.append(row.values, to: &bytes) }
    output.write(bytes)
  }
}

/// A row that can be written in the machine-readable formats.
protocol MachineRow {
  /// The column names, in order.
  static var columns: [String] { get }
  /// The values as text, in column order; empty if unknown.
  var values: [String] { get }
  /// The row as one JSON object.
  var json: JSONLine { get }
  /// The identifier that commands accept.
  var id: String { get }
  /// Its URL; nil if absent.
  var url: String? { get }
}

extension WatchedRow: MachineRow {
  var id: String { row.video.description }
  var url: String? { row.url }
}
