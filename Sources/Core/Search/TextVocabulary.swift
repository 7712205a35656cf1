/// The tokens of many texts, and which texts have each.
///
/// The documents of a token are written as they come, into pieces of one array that double in size, each with the place
/// of the next behind it: there are hundreds of thousands of tokens, and most are in one text.
struct TextVocabulary {
  /// Every token, with a newline before each and behind the last.
  private(set) var bytes: [UInt8] = [newline]
  /// Where each begins.
  private(set) var starts: [UInt32] = []
  private var lists: [List] = []
  private var pieces: [UInt8] = []
  /// Token numbers plus one at the place that the token's hash gives, or the next free one.
  private var slots = [Slot](repeating: Slot(), count: 1 << 12)

  private struct Slot {
    var hash: UInt32 = 0
    var token: UInt32 = 0
  }

  /// Where the documents of a token are written.
  private struct List {
    /// Where the first piece begins, and where the next byte goes.
    var first: UInt32
    var next: UInt32
    /// How many bytes the piece at hand still takes, and how many it took when it was new.
    var room: UInt32
    var size: UInt32
    /// How many bytes there are.
    var length: UInt32 = 0
    /// The last document plus one.
    var last: UInt32 = 0
  }

  private static let newline = UInt8(ascii: "\n")
  private static let firstSize: UInt32 = 4
  private static let linkSize = 4

  /// How many tokens there are.
  var count: Int { starts.count }

  /// Notes that a document has a token; documents come in order.
  mutating func add(_ token: UnsafeRawBufferPointer, in document: UInt32) {
    let number = number(of: token)
    guard lists[number].last <= document else { return }
    var distance = document - lists[number].last
    lists[number].last = document + 1
    while distance >= 0x80 {
      append(UInt8(truncatingIfNeeded: distance) | 0x80, to: number)
      distance >>= 7
    }
    append(UInt8(distance), to: number)
  }

  private mutating func append(_ byte: UInt8, to number: Int) {
    var list = lists[number]
    if list.room == 0 {
      let place = UInt32(pieces.count)
      for shift in 0..<4 { pieces[Int(list.next) + shift] = UInt8(truncatingIfNeeded: place >> (8 * UInt32(shift))) }
      list.size = min(list.size * 2, 1 << 10)
      (list.next, list.room) = (place, list.size)
      pieces.append(contentsOf: repeatElement(0, count: Int(list.size) + TextVocabulary.linkSize))
    }
    pieces[Int(list.next)] = byte
    list.next += 1
    list.room -= 1
    list.length += 1
    lists[number] = list
  }

  private mutating func number(of token: UnsafeRawBufferPointer) -> Int {
    let hash = UInt32(truncatingIfNeeded: Fingerprint.of(token))
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot].token != 0 {
      let number = Int(slots[slot].token) - 1
      if slots[slot].hash == hash, isToken(number, token) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Slot(hash: hash, token: UInt32(count) + 1)
    starts.append(UInt32(bytes.count))
    bytes.append(contentsOf: token)
    bytes.append(TextVocabulary.newline)
    let size = TextVocabulary.firstSize
    lists.append(List(first: UInt32(pieces.count), next: UInt32(pieces.count), room: size, size: size))
    pieces.append(contentsOf: repeatElement(0, count: Int(size) + TextVocabulary.linkSize))
    if count * 2 > slots.count { grow() }
    return count - 1
  }

  private func isToken(_ number: Int, _ token: UnsafeRawBufferPointer) -> Bool {
    let start = Int(starts[number])
    guard start + token.count < bytes.count, bytes[start + token.count] == TextVocabulary.newline else { return false }
    return bytes.withUnsafeBytes { bytes in
      var place = 0
      while place + 8 <= token.count {
        if bytes.number64(at: start + place) != token.number64(at: place) { return false }
        place += 8
      }
      while place < token.count {
        if bytes[start + place] != token[place] { return false }
        place += 1
      }
      return true
    }
  }

  private mutating func grow() {
    var larger = [Slot](repeating: Slot(), count: slots.count * 2)
    for entry in slots where entry.token != 0 {
      var slot = Int(entry.hash) & (larger.count - 1)
      while larger[slot].token != 0 { slot = (slot + 1) & (larger.count - 1) }
      larger[slot] = entry
    }
    slots = larger
  }

  /// The documents of all tokens in a row, and where those of each begin; the end last.
  func postings() -> (places: [UInt32], bytes: [UInt8]) {
    var places: [UInt32] = []
    places.reserveCapacity(count + 1)
    var postings: [UInt8] = []
    postings.reserveCapacity(lists.reduce(0) { $0 + Int($1.length) })
    for list in lists {
      places.append(UInt32(postings.count))
      append(list, to: &postings)
    }
    places.append(UInt32(postings.count))
    return (places, postings)
  }

  private func append(_ list: List, to postings: inout [UInt8]) {
    var (place, size, rest) = (Int(list.first), TextVocabulary.firstSize, list.length)
    while rest > 0 {
      let count = min(rest, size)
      postings.append(contentsOf: pieces[place..<place + Int(count)])
      rest -= count
      if rest == 0 { return }
      let link = pieces[(place + Int(size))...].prefix(TextVocabulary.linkSize)
      place = link.reversed().reduce(0) { $0 << 8 | Int($1) }
      size = min(size * 2, 1 << 10)
    }
  }
}
