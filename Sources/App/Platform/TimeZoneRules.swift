import Core
import EventLog
import Glibc
import Synchronization

/// The offsets of one time zone, from the system's time zone database (RFC 9636).
///
/// The C library knows one zone per process, and a hub has users in several.
package struct TimeZoneRules: Sendable {
  /// When an offset begins, in order, and its seconds east of UTC.
  private var changes: [(at: Int64, offset: Int64)] = []
  /// The offset before the first change.
  private var first: Int64 = 0
  /// What applies after the last change.
  private var rule: PosixZone?

  /// The folder of the database: `TZDIR`, else where distributions have it.
  private static var folder: String { getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo" }

  private static let known = Mutex<[String: TimeZoneRules]>([:])
  /// More names than the database has are no zones.
  private static let maxKnown = 1000

  /// The zone with a name such as `Europe/Berlin`; nil if the database of this machine has none.
  package static func named(_ name: String) -> TimeZoneRules? {
    if let zone = known.withLock({ $0[name] }) { return zone }
    guard PreferenceValues.timeZone.canonical(name) != nil,
      let bytes = try? File.read("\(folder)/\(name)", limit: 1 << 18), let zone = TimeZoneRules(bytes)
    else { return nil }
    known.withLock { if $0.count < maxKnown { $0[name] = zone } }
    return zone
  }

  /// Parses a TZif file; nil if malformed.
  package init?(_ bytes: [UInt8]) {
    var reader = TZifReader(bytes: bytes)
    guard let version = reader.header() else { return nil }
    if version.number >= 2 {
      // The first block is for readers of 32 bits.
      reader.position += version.length(timeSize: 4)
      guard let second = reader.header(), read(second, timeSize: 8, &reader) else { return nil }
      rule = reader.footer().flatMap { PosixZone($0) }
    } else {
      guard read(version, timeSize: 4, &reader) else { return nil }
    }
  }

  private mutating func read(_ header: TZifReader.Header, timeSize: Int, _ reader: inout TZifReader) -> Bool {
    guard header.types > 0, reader.position + header.length(timeSize: timeSize) <= reader.bytes.count else {
      return false
    }
    let times = (0..<header.times).map { _ in reader.integer(timeSize) }
    let indexes = (0..<header.times).map { _ in Int(UInt8(truncatingIfNeeded: reader.integer(1))) }
    var offsets: [Int64] = []
    for _ in 0..<header.types {
      offsets.append(reader.integer(4))
      reader.position += 2
    }
    reader.position += header.names + header.leaps * (timeSize + 4) + header.standards + header.locals
    guard indexes.allSatisfy({ offsets.indices.contains($0) }) else { return false }
    changes = zip(times, indexes).map { ($0, offsets[$1]) }
    first = offsets[0]
    return true
  }

  /// The seconds east of UTC at a time.
  package func offset(at time: Timestamp) -> Int64 {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].at <= time.seconds { low = middle + 1 } else { high = middle }
    }
    if low == changes.count, let rule { return rule.offset(at: time) }
    return low == 0 ? first : changes[low - 1].offset
  }

  /// The time at which clocks of the zone show this, as seconds since 1970 without an offset. Of a time that clocks show
  /// twice it is the first; one that they skip is as much later.
  package func time(ofLocal seconds: Int64) -> Timestamp {
    let before = offset(at: Timestamp(seconds: seconds - 86_400))
    let after = offset(at: Timestamp(seconds: seconds + 86_400))
    let first = Timestamp(seconds: seconds - before)
    if offset(at: first) == before { return first }
    let second = Timestamp(seconds: seconds - after)
    return offset(at: second) == after ? second : first
  }
}

/// Reads the numbers of a TZif file, which are big-endian.
private struct TZifReader {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  struct Header {
    var number: Int
    var locals = 0
    var standards = 0
    var leaps = 0
    var times = 0
    var types = 0
    var names = 0

    init(number: Int) { self.number = number }

    /// The length of what follows the header.
    func length(timeSize: Int) -> Int {
      times * (timeSize + 1) + types * 6 + names + leaps * (timeSize + 4) + standards + locals
    }
  }

  mutating func header() -> Header? {
    guard position + 44 <= bytes.count, bytes[position..<position + 4].elementsEqual("TZif".utf8) else { return nil }
    var header = Header(number: bytes[position + 4] == 0 ? 1 : Int(bytes[position + 4]) - 48)
    position += 20
    header.locals = Int(integer(4))
    header.standards = Int(integer(4))
    header.leaps = Int(integer(4))
    header.times = Int(integer(4))
    header.types = Int(integer(4))
    header.names = Int(integer(4))
    let counts = [header.locals, header.standards, header.leaps, header.times, header.types, header.names]
    guard counts.allSatisfy({ (0...65_536).contains($0) }) else { return nil }
    return header
  }

  /// The next integer of 1, 4 or 8 bytes, with its sign; 0 beyond the end.
  mutating func integer(_ size: Int) -> Int64 {
    guard position + size <= bytes.count else { return 0 }
    var value: UInt64 = 0
    for byte in bytes[position..<position + size] { value = value << 8 | UInt64(byte) }
    position += size
    let unused = UInt64(64 - size * 8)
    return Int64(bitPattern: value << unused) >> Int64(unused)
  }

  /// The text between two newlines after the data.
  mutating func footer() -> String? {
    guard position < bytes.count, bytes[position] == 10,
      let end = bytes[(position + 1)...].firstIndex(of: 10)
    else { return nil }
    return String(decoding: bytes[position + 1..<end], as: UTF8.self)
  }
}

/// A rule for all years as POSIX writes it: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixZone: Sendable {
  private var standard: Int64
  private var summer: (offset: Int64, begins: Day, ends: Day)?

  /// A day of the year and a time of it.
  private struct Day: Sendable {
    enum Kind: Sendable { case weekday(month: Int, week: Int, day: Int), julian(Int), zeroBased(Int) }
    var kind: Kind
    var seconds: Int64

    /// The local time, as seconds since 1970.
    func seconds(in year: Int) -> Int64 {
      let first = CivilDate(year: year, month: 1, day: 1)?.daysSinceEpoch ?? 0
      let isLeap = (CivilDate(year: year, month: 2, day: 29) != nil)
      let day: Int
      switch kind {
      case .julian(let number): day = first + number - 1 + (isLeap && number >= 60 ? 1 : 0)
      case .zeroBased(let number): day = first + number
      case .weekday(let month, let week, let weekday):
        let start = CivilDate(year: year, month: month, day: 1)?.daysSinceEpoch ?? first
        let next = CivilDate(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)?.daysSinceEpoch
        // 1970-01-01 was a Thursday.
        let toFirst = (weekday - (start + 4) % 7 + 14) % 7
        var found = start + toFirst + (week - 1) * 7
        if let next, found >= next { found -= 7 }
        day = found
      }
      return Int64(day) * 86_400 + seconds
    }
  }

  init?(_ text: String) {
    var rest = Substring(text)
    guard PosixZone.skipName(&rest), let west = PosixZone.time(&rest) else { return nil }
    standard = -west
    guard !rest.isEmpty else { return }
    guard PosixZone.skipName(&rest) else { return nil }
    var offset = standard + 3600
    if let first = rest.first, first != "," {
      guard let west = PosixZone.time(&rest) else { return nil }
      offset = -west
    }
    guard rest.popFirst() == ",", let begins = PosixZone.day(&rest), rest.popFirst() == ",",
      let ends = PosixZone.day(&rest), rest.isEmpty
    else { return nil }
    summer = (offset, begins, ends)
  }

  /// `CET` or `<+0330>`.
  private static func skipName(_ rest: inout Substring) -> Bool {
    let count = rest.count
    if rest.first == "<" {
      guard let end = rest.firstIndex(of: ">") else { return false }
      rest = rest[rest.index(after: end)...]
    } else {
      rest = rest.drop { $0.isLetter }
    }
    return rest.count < count
  }

  /// `-1`, `3:30`, `26:00:00` in seconds.
  private static func time(_ rest: inout Substring) -> Int64? {
    var sign: Int64 = 1
    if rest.first == "-" || rest.first == "+" { sign = rest.popFirst() == "-" ? -1 : 1 }
    var (total, unit): (Int64, Int64) = (0, 3600)
    repeat {
      guard let value = number(&rest), value <= 1000 else { return nil }
      total += Int64(value) * unit
      unit /= 60
      guard unit > 0, rest.first == ":" else { break }
      rest.removeFirst()
    } while true
    return sign * total
  }

  private static func number(_ rest: inout Substring) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count)
    return digits.count <= 4 ? Int(digits) : nil
  }

  private static func day(_ rest: inout Substring) -> Day? {
    let kind: Day.Kind
    switch rest.first {
    case "M":
      rest.removeFirst()
      guard let month = number(&rest), (1...12).contains(month), rest.popFirst() == ".", let week = number(&rest),
        (1...5).contains(week), rest.popFirst() == ".", let day = number(&rest), (0...6).contains(day)
      else { return nil }
      kind = .weekday(month: month, week: week, day: day)
    case "J":
      rest.removeFirst()
      guard let day = number(&rest), (1...365).contains(day) else { return nil }
      kind = .julian(day)
    default:
      guard let day = number(&rest), (0...365).contains(day) else { return nil }
      kind = .zeroBased(day)
    }
    guard rest.first == "/" else { return Day(kind: kind, seconds: 7200) }
    rest.removeFirst()
    return time(&rest).map { Day(kind: kind, seconds: $0) }
  }

  func offset(at time: Timestamp) -> Int64 {
    guard let summer else { return standard }
    let days = time.adding(seconds: standard).seconds
    let year = CivilDate(daysSinceEpoch: Int(days >= 0 ? days / 86_400 : (days - 86_399) / 86_400)).year
    let begins = summer.begins.seconds(in: year) - standard
    let ends = summer.ends.seconds(in: year) - summer.offset
    let isSummer =
      begins < ends
      ? (begins..<ends).contains(time.seconds) : !(ends..<begins).contains(time.seconds)
    return isSummer ? summer.offset : standard
  }
}
