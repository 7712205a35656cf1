import Core
import Exporters
import Terminal

/// One poll as `status` shows it.
struct RunRow {
  fileprivate let run: RunFinished
  fileprivate let id: EventID

  /// The row of a logged poll.
  init(_ finished: LWWRegister<RunFinished>) {
    run = finished.value
    id = finished.id
  }

  /// The row as one JSON object.
  var json: JSONLine {
    var line = JSONLine()
    line.add("ended", id.timestamp)
    line.add("device", id.device.description)
    line.add("checked", run.checked)
    line.add("notDue", run.notDue)
    line.add("failed", run.failed)
    line.add("new", run.new)
    line.add("changed", run.changed)
    line.add("gaps", run.gaps)
    line.add("outage", run.outage)
    line.add("stopped", run.stopped?.rawValue)
    line.add("seconds", milliseconds: run.milliseconds)
    line.add("bytes", run.bytes)
    line.add("unrequested", run.unrequested)
    return line
  }
}

extension TextTable {
  /// The polls as `status` shows them; the device column is empty unless there are several devices.
  static func runs(_ rows: [RunRow], at now: LocalTime) -> TextTable {
    var table = TextTable(columns: [
      Column("polled", minimum: 10, maximum: 10),
      Column("checked", alignment: .right, minimum: 1, maximum: nil),
      Column("new", alignment: .right, minimum: 1, maximum: nil),
      Column("failed", alignment: .right, minimum: 1, maximum: nil),
      Column("gaps", alignment: .right, minimum: 1, maximum: nil, leftOut: 2),
      Column("took", alignment: .right, minimum: 1, maximum: nil, leftOut: 1),
      Column("end", minimum: 6, maximum: nil, isFlexible: true),
      Column("device", minimum: DeviceID.length, maximum: DeviceID.length, leftOut: 0),
    ])
    let hasDevices = Set(rows.map(\.id.device)).count > 1
    for row in rows { table.add(row.cells(at: now, namesDevice: hasDevices)) }
    return table
  }
}

extension RunRow {
  fileprivate func cells(at now: LocalTime, namesDevice: Bool) -> [TextTable.Cell] {
    [
      TextTable.Cell(id.timestamp.short(at: now), tint: .cyan),
      TextTable.Cell(String(run.checked)),
      TextTable.Cell(String(run.new)),
      TextTable.Cell(String(run.failed), tint: run.failed > 0 ? .red : nil),
      TextTable.Cell(run.gaps > 0 ? String(run.gaps) : "", tint: .magenta),
      TextTable.Cell(PlayingTime.text(seconds: run.milliseconds / 1000)),
      TextTable.Cell(
        run.stopped.map(UserMessages.stoppedWord) ?? "", tint: run.stopped.map { $0.isTrouble ? .red : .magenta }),
      TextTable.Cell(namesDevice ? id.device.description : ""),
    ]
  }
}

extension StopReason {
  /// Whether YouTube or the network stopped the poll, rather than the user.
  fileprivate var isTrouble: Bool {
    switch self {
    case .outage, .offline, .refused, .tooMany: true
    case .deadline, .interrupted: false
    }
  }
}
