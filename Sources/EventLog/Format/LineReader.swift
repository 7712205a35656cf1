import Core

/// Reads the members of a line by name, in any order.
struct LineReader {
  private var object = FlatObject()
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var origin = LogPlace(file: 0, length: 0, offset: 0)
  /// The slot after the last one found: the next member, if the line was written in order.
  private var next = 0
  /// Whether every member requested so far had a value of its type.
  private(set) var isUnderstood = true

  /// Opens a line, passed without its checksum, whose first byte is at `origin`; false if it is not a flat object.
  mutating func open(_ bytes: UnsafeRawBufferPointer, at origin: LogPlace) -> Bool {
    self.bytes = bytes
    self.origin = origin
    next = 0
    isUnderstood = true
    return object.scan(bytes)
  }

  /// The value of a member; nil if absent or `null`.
  mutating func value(_ name: StaticString) -> LineValue? {
    if next < object.slots.count, isNamed(object.slots[next], name) { return take(next) }
    for index in object.slots.indices where isNamed(object.slots[index], name) { return take(index) }
    return nil
  }

  private mutating func take(_ index: Int) -> LineValue? {
    next = index + 1
    let slot = object.slots[index]
    guard slot.sort != .null else { return nil }
    let place = LogPlace(
      file: origin.file, length: UInt32(slot.value.count), offset: origin.offset + UInt64(slot.value.lowerBound))
    return LineValue(sort: slot.sort, bytes: UnsafeRawBufferPointer(rebasing: bytes[slot.value]), place: place)
  }

  private func isNamed(_ slot: FlatObject.Slot, _ name: StaticString) -> Bool {
    guard slot.name.count == name.utf8CodeUnitCount else { return false }
    for offset in 0..<slot.name.count where bytes[slot.name.lowerBound + offset] != name.utf8Start[offset] {
      return false
    }
    return true
  }

  /// The members of the line in its own order, for lines without a schema.
  func forEachMember(_ body: (String?, LineValue) -> Void) {
    for slot in object.slots {
      let name = JSONString.unescaped(UnsafeRawBufferPointer(rebasing: bytes[slot.name]))
      let value = UnsafeRawBufferPointer(rebasing: bytes[slot.value])
      body(name, LineValue(sort: slot.sort, bytes: value, place: origin))
    }
  }
}

extension LineReader: MemberCoder {
  mutating func member<Value: MemberValue>(_ name: StaticString, _ value: Value?) -> Value? {
    let found = option(name, value)
    if found == nil { isUnderstood = false }
    return found
  }

  mutating func option<Value: MemberValue>(_ name: StaticString, _ value: Value?) -> Value? {
    guard let found = self.value(name) else { return nil }
    let understood = Value(found)
    if understood == nil { isUnderstood = false }
    return understood
  }
}
