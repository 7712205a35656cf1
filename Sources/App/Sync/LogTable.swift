import Core
import EventLog
import Exporters
import JSON

/// The logs that a hub has of a user, as it sends them:
/// `{"logs":[{"log":"k3v9x2ap","device":"k3v9x2ap","generation":1,"length":412,"checksum":"…",…}],"damage":[]}`.
package struct LogTable: Equatable {
  var logs: [LogMark]
  /// What is broken on the hub, also in logs that it does not exchange but makes others of.
  package var damage: [Damage] = []

  package init(logs: [LogMark]) { self.logs = logs }

  package struct Damage: Equatable {
    /// The name of the log, if it is the user's; nil for one of the catalogue.
    package var log: String?
    /// `k3v9x2ap.jsonl: line 57 (byte 9120) is damaged`
    package var what: String
    /// The command that mends it.
    package var remedy: String

    package init(log: String? = nil, what: String, remedy: String) {
      (self.log, self.what, self.remedy) = (log, what, remedy)
    }
  }

  /// The table as JSON members.
  package func add(to line: inout JSONLine) {
    line.add(
      "logs",
      objects: logs.map { mark in
        var line = JSONLine()
        line.add("log", mark.log)
        line.add("device", mark.device.description)
        line.add("generation", mark.generation)
        line.add("length", Int(mark.end.length))
        line.add("checksum", mark.end.checksum)
        line.add("damaged", mark.isDamaged)
        line.add("damagedLine", mark.damagedLine)
        return line
      })
    line.add(
      "damage",
      objects: damage.map { damage in
        var line = JSONLine()
        line.add("log", damage.log)
        line.add("what", damage.what)
        line.add("remedy", damage.remedy)
        return line
      })
  }

  /// The table in a response; nil if it has none.
  init?(_ value: JSONValue?) {
    guard let elements = value?["logs"]?.elements else { return nil }
    logs = []
    for element in elements {
      guard let log = element["log"]?.string, let device = element["device"]?.string.flatMap({ DeviceID($0) }),
        let length = element["length"]?.number.flatMap({ UInt64(exactly: $0) }),
        let generation = element["generation"]?.number.flatMap({ Int(exactly: $0) }),
        let checksum = element["checksum"]?.string, LogTable.isName(log, of: device)
      else { continue }  // Of a name or a form that cannot be exchanged.
      let end = LogEnd(length: length, checksum: checksum)
      guard end.isPlausible else { continue }
      logs.append(
        LogMark(
          log: log, device: device, generation: generation, end: end, isDamaged: element["damaged"] == true,
          damagedLine: element["damagedLine"]?.number.flatMap { Int(exactly: $0) }))
    }
    // Older hubs do not say it.
    for element in value?["damage"]?.elements?.prefix(LogTable.maxDamage) ?? [] {
      guard let what = element["what"]?.string, let remedy = element["remedy"]?.string else { continue }
      damage.append(
        Damage(log: element["log"]?.string, what: String(what.prefix(500)), remedy: String(remedy.prefix(500))))
    }
  }

  private static let maxDamage = 20

  /// The first logs, up to `count`; those that are known before others.
  func limited(to count: Int, preferring known: Set<String>) -> LogTable {
    guard logs.count > count else { return self }
    let others = logs.filter { !known.contains($0.log) }
    var table = self
    table.logs = Array((logs.filter { known.contains($0.log) } + others).prefix(count))
    return table
  }

  /// Whether a text can name a log of a device. It becomes part of URLs.
  package static func isName(_ name: String, of device: DeviceID) -> Bool {
    name.hasPrefix(device.description) && name.utf8.count <= 200
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || "._-".utf8.contains(byte)
      }
  }
}
