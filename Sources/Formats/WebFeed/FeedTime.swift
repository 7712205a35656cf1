import Core

extension Timestamp {
  /// The time in a date of a feed, in any layout that feeds have: RFC 822 and its relatives, RFC 3339 and other forms of
  /// ISO 8601, `asctime`, dates in words of several languages, Unix seconds. Nil if day, month or year is missing or
  /// invalid, or the year before 1900.
  ///
  /// Without a time it is midnight, without a known zone UTC; a wrong weekday is ignored; `24:00` is the next midnight.
  package init?(feed bytes: Span<UInt8>) {
    var reader = FeedTimeReader(bytes.extracting(bytes.trimmed))
    guard let seconds = reader.read() else { return nil }
    self.init(seconds: seconds)
  }

  /// The same for text.
  package init?(feed text: String) { self.init(feed: text.utf8.span) }
}

/// Reads a date part by part, and takes each for what it looks like.
private struct FeedTimeReader {
  private let length: Int
  private let bytes: [UInt8]
  private var position = 0

  private var year: Int?
  private var month: Int?
  private var day: Int?
  private var hour: Int?
  private var minute = 0
  private var second = 0
  private var isAfternoon: Bool?
  /// Seconds east of UTC.
  private var zone: Int?

  init(_ text: Span<UInt8>) {
    // No date has more letters.
    length = min(text.count, 100)
    bytes = text.extracting(0..<length).withUnsafeBufferPointer { Array($0) }
  }

  private func byte(_ index: Int) -> UInt8 { index < length ? bytes[index] : 0 }

  /// Seconds since 1970; nil if it is not a date.
  mutating func read() -> Int64? {
    guard length >= 4, length < 100 else { return nil }
    if let number = soleNumber() { return seconds(digits: length, number) }
    let isRead = startsWithYear ? readISODate() : true
    guard isRead else { return nil }
    while position < length {
      guard readPart() else { return nil }
    }
    return result()
  }

  private func result() -> Int64? {
    guard let year, let month, let day, (1900...9999).contains(year),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var hour = hour ?? 0
    if let isAfternoon, hour <= 12 { hour = hour % 12 + (isAfternoon ? 12 : 0) }
    guard hour < 24 || hour == 24 && minute == 0 && second == 0, minute < 60, second <= 60 else { return nil }
    let clock = hour * 3600 + minute * 60 + min(second, 59) - (zone ?? 0)
    return Int64(date.daysSinceEpoch) * 86_400 + Int64(clock)
  }

  /// The number that the whole text is; nil if it has anything but digits.
  private func soleNumber() -> Int64? {
    guard length <= 14, bytes.allSatisfy(\.isDigit) else { return nil }
    return bytes.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  /// `2004`, `20040528`, `1085754315` (Unix), `1085754315000` (with milliseconds) or `20040528143515`.
  private func seconds(digits: Int, _ number: Int64) -> Int64? {
    switch digits {
    case 9...11: return number
    case 12, 13: return number / 1000
    case 4: return FeedTimeReader.seconds(number, 1, 1, 0)
    case 6: return FeedTimeReader.seconds(number / 100, number % 100, 1, 0)
    case 8: return FeedTimeReader.seconds(number / 10_000, number / 100 % 100, number % 100, 0)
    case 14:
      let (clock, date) = (number % 1_000_000, number / 1_000_000)
      let (hour, minute, second) = (clock / 10_000, clock / 100 % 100, clock % 100)
      guard hour < 24, minute < 60, second < 60 else { return nil }
      return FeedTimeReader.seconds(
        date / 10_000, date / 100 % 100, date % 100, hour * 3600 + minute * 60 + second)
    default: return nil
    }
  }

  private static func seconds(_ year: Int64, _ month: Int64, _ day: Int64, _ clock: Int64) -> Int64? {
    guard year >= 1900, let date = CivilDate(year: Int(year), month: Int(month), day: Int(day)) else { return nil }
    return Int64(date.daysSinceEpoch) * 86_400 + clock
  }
}

// MARK: Dates that begin with the year

extension FeedTimeReader {
  /// Whether four digits and a separator or a digit begin the text.
  private var startsWithYear: Bool {
    bytes.prefix(4).allSatisfy(\.isDigit) && (byte(4).isDigit || "-/.:".utf8.contains(byte(4)))
  }

  /// `2004-05-28`, `2004-5-28`, `2004/05/28`, `2004.05.28`, `2004-05`, `20040528`, `2004-149` (the day of the year),
  /// `2004-W22-5`.
  private mutating func readISODate() -> Bool {
    year = digits(max: 4)?.value
    let isSeparated = !byte(position).isDigit
    if isSeparated { position += 1 }
    if byte(position) | 0x20 == UInt8(ascii: "w") { return readWeek() }
    // `2004-július-13`: the parts after the year are read as anywhere.
    if isSeparated, !byte(position).isDigit { return true }
    guard let first = digits(max: isSeparated ? 3 : 2) else { return false }
    // `2004-005-28` has a zero too many.
    if first.count == 3, byte(position) != UInt8(ascii: "-") { return set(dayOfYear: first.value) }
    month = first.value
    if isSeparated, position == length || !"-/.:".utf8.contains(byte(position)) || !byte(position + 1).isDigit {
      day = 1
      return true
    }
    if isSeparated { position += 1 }
    guard let second = digits(max: 2) else { return false }
    day = second.value
    if byte(position) | 0x20 == UInt8(ascii: "t") || byte(position) == UInt8(ascii: "_") { position += 1 }
    return true
  }

  private mutating func readWeek() -> Bool {
    position += 1
    guard let week = digits(max: 2)?.value, (1...53).contains(week), let year,
      let january = CivilDate(year: year, month: 1, day: 4)
    else { return false }
    var weekday = 1
    if byte(position) == UInt8(ascii: "-") { position += 1 }
    if let read = digits(max: 1)?.value { weekday = read }
    guard (1...7).contains(weekday) else { return false }
    // 4 January is in week 1; 1970-01-01 was a Thursday.
    let days = january.daysSinceEpoch
    let monday = days - ((days + 3) % 7 + 7) % 7
    return set(CivilDate(daysSinceEpoch: monday + (week - 1) * 7 + weekday - 1))
  }

  private mutating func set(dayOfYear number: Int) -> Bool {
    guard (1...366).contains(number), let year, let first = CivilDate(year: year, month: 1, day: 1) else {
      return false
    }
    return set(CivilDate(daysSinceEpoch: first.daysSinceEpoch + number - 1))
  }

  private mutating func set(_ date: CivilDate) -> Bool {
    (year, month, day) = (date.year, date.month, date.day)
    if byte(position) | 0x20 == UInt8(ascii: "t") { position += 1 }
    return true
  }
}

// MARK: Parts

extension FeedTimeReader {
  /// The next digits, at most `max`; nil if there is none.
  private mutating func digits(max: Int) -> (value: Int, count: Int)? {
    let start = position
    var value = 0
    while position < length, position - start < max, bytes[position].isDigit {
      value = value * 10 + Int(bytes[position] - UInt8(ascii: "0"))
      position += 1
    }
    return position > start ? (value, position - start) : nil
  }

  /// Reads a number, an offset or a word, or skips a sign; false if it makes the date invalid.
  private mutating func readPart() -> Bool {
    let byte = bytes[position]
    if byte.isDigit { return readNumber() }
    if byte.isLetter || byte >= 0x80 { return readWord() }
    let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    position += 1
    if isSign, hour != nil || zone != nil, self.byte(position).isDigit {
      return readOffset(isBehind: byte == UInt8(ascii: "-"))
    }
    return true
  }

  /// `+0200`, `+02:00`, `+02:00:00`, `+2`, after its sign.
  private mutating func readOffset(isBehind: Bool) -> Bool {
    guard let first = digits(max: 4) else { return true }
    var (hours, minutes) = first.count > 2 ? (first.value / 100, first.value % 100) : (first.value, 0)
    if byte(position) == UInt8(ascii: ":") {
      position += 1
      if let second = digits(max: 2) { (hours, minutes) = (first.value, second.value) }
      if byte(position) == UInt8(ascii: ":") {
        position += 1
        _ = digits(max: 2)
      }
    }
    // `GMT+2` counts from GMT. An impossible offset, as +9999, counts as none.
    if hours <= 14, minutes < 60 { zone = (isBehind ? -1 : 1) * (hours * 3600 + minutes * 60) }
    return true
  }

  private mutating func readNumber() -> Bool {
    guard let number = digits(max: 8) else { return false }
    let (next, after) = (byte(position), byte(position + 1).isDigit)
    switch next {
    case UInt8(ascii: ":") where hour == nil && after && number.count <= 2: return readClock(number.value)
    case UInt8(ascii: "h") where hour == nil && after && number.count <= 2: return readClock(number.value)
    case UInt8(ascii: ".") where hour == nil && day != nil && year != nil && after && number.count <= 2:
      return readClock(number.value)
    case UInt8(ascii: "/") where after && day == nil, UInt8(ascii: ".") where after && day == nil,
      UInt8(ascii: "-") where after && day == nil && month == nil:
      return readSeparated(number, by: next)
    default: break
    }
    if number.count >= 6, hour == nil, day != nil { return readCompactClock(number) }
    if number.count == 4, hour == nil, day != nil, year != nil { return readCompactClock(number) }
    if isFollowed(by: "월") || isFollowed(by: "月"), month == nil {
      month = number.value
      return true
    }
    skipOrdinal()
    return take(number)
  }

  /// Takes a number that stands alone as the day or the year, or as an hour before `am` or `Uhr`.
  private mutating func take(_ number: (value: Int, count: Int)) -> Bool {
    if number.count == 4 || number.count == 3, year == nil {
      year = number.value
    } else if number.count <= 2, day == nil {
      day = number.value
    } else if number.count <= 2, year == nil {
      year = FeedTimeReader.fullYear(number.value)
    } else if number.count <= 2, hour == nil {
      hour = number.value
    } else {
      return false
    }
    return true
  }

  /// RFC 2822 §4.3
  private static func fullYear(_ number: Int) -> Int { number < 50 ? 2000 + number : 1900 + number }

  /// `:19`, `:19:48`, `:19:48.5`, after the hour.
  private mutating func readClock(_ hour: Int) -> Bool {
    self.hour = hour
    position += 1
    guard let minute = digits(max: 2) else { return false }
    self.minute = minute.value
    if byte(position) == UInt8(ascii: ":") {
      position += 1
      if let second = digits(max: 2) { self.second = second.value }
    }
    if byte(position) == UInt8(ascii: ".") || byte(position) == UInt8(ascii: ","), byte(position + 1).isDigit {
      position += 1
      while byte(position).isDigit { position += 1 }
    }
    return true
  }

  /// `1948` or `194815` after `T`.
  private mutating func readCompactClock(_ number: (value: Int, count: Int)) -> Bool {
    let value = number.count == 4 ? number.value * 100 : number.value
    (hour, minute, second) = (value / 10_000, value / 100 % 100, value % 100)
    return number.count == 4 || number.count == 6
  }

  /// `05/28/2004`, `28/05/2004`, `28.05.2004`, `28-05-2004`, `2004/05/28`, `04-05-28`, after the first number. With slashes
  /// the month comes first if it can, as in the country of most who write so.
  private mutating func readSeparated(_ first: (value: Int, count: Int), by separator: UInt8) -> Bool {
    position += 1
    guard let second = digits(max: 2) else { return false }
    guard byte(position) == separator, byte(position + 1).isDigit else { return false }
    position += 1
    guard let third = digits(max: 4) else { return false }
    if first.count == 4 || separator == UInt8(ascii: "-") && first.count == 2 && third.count == 2 {
      year = first.count == 4 ? first.value : FeedTimeReader.fullYear(first.value)
      (month, day) = (second.value, third.value)
      return true
    }
    let isMonthFirst = separator == UInt8(ascii: "/") && first.value <= 12
    (day, month) = isMonthFirst ? (second.value, first.value) : (first.value, second.value)
    year = third.count == 2 ? FeedTimeReader.fullYear(third.value) : third.value
    return true
  }

  private func isFollowed(by sign: StaticString) -> Bool { bytes.span.has(sign, at: position) }

  /// `st`, `nd`, `rd` or `th` after a day.
  private mutating func skipOrdinal() {
    let suffix = (byte(position) | 0x20, byte(position + 1) | 0x20)
    let isOrdinal = [("s", "t"), ("n", "d"), ("r", "d"), ("t", "h")].contains {
      (UInt8(ascii: $0.0), UInt8(ascii: $0.1)) == suffix
    }
    if isOrdinal, !byte(position + 2).isLetter { position += 2 }
  }

  /// Reads a month, a zone or half a day; ignores weekdays and other words.
  private mutating func readWord() -> Bool {
    let start = position
    while position < length, bytes[position].isLetter || bytes[position] >= 0x80 { position += 1 }
    let word = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
    if let isAfternoon = FeedTimeWords.halves[word] {
      self.isAfternoon = isAfternoon
    } else if month == nil, let month = FeedTimeWords.month(word) {
      self.month = month
    } else if zone == nil, hour != nil, let zone = FeedTimeWords.zones[word] {
      self.zone = zone
    }
    return true
  }
}

extension Span<UInt8> {
  /// The range of the bytes without white space at both ends.
  var trimmed: Range<Int> {
    var (start, end) = (0, count)
    while start < end, self[start] <= 0x20 { start += 1 }
    while end > start, self[end - 1] <= 0x20 { end -= 1 }
    return start..<end
  }
}
