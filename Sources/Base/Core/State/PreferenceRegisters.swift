/// The preferences that were ever set, by name and channel: last-writer-wins registers.
///
/// Names and values that this program does not know stay in them; a reader takes the default instead.
package struct PreferenceRegisters: Equatable, Sendable {
  /// What a register is known by.
  package struct Key: Hashable, Sendable {
    package var name: String
    /// The channel that has a value of its own; nil for all.
    package var channel: SubscriptionID?

    package init(name: String, channel: SubscriptionID?) { (self.name, self.channel) = (name, channel) }
  }

  /// Nil within where a value was unset.
  package private(set) var registers: [Key: LWWRegister<String?>] = [:]

  package init() {}

  /// Takes note of what an event says.
  package mutating func set(_ value: String?, of key: Key, by id: EventID) {
    if registers[key] == nil { registers[key] = LWWRegister(value, by: id) } else { registers[key]?.set(value, by: id) }
  }

  /// The stored text of a name; nil if it was not set, or unset.
  package func text(_ key: Key) -> String? { registers[key].flatMap(\.value) }

  /// The event that wrote a register last.
  package func changed(_ key: Key) -> EventID? { registers[key]?.id }

  /// The value of a preference, if this program knows it: the channel's own, or the one of all if `channel` is nil.
  package func value(_ preference: Preference, of channel: SubscriptionID? = nil) -> String? {
    guard channel == nil || preference.row.isPerChannel else { return nil }
    return text(Key(name: preference.rawValue, channel: channel)).flatMap(preference.row.values.canonical)
  }

  /// Whether Shorts of channels without a setting of their own are shown.
  package var showsShorts: Bool { usualShorts == .show }

  /// Whether they are listed.
  package var usualShorts: ListVisibility { value(.shorts).flatMap(ListVisibility.init) ?? .hide }

  /// The channels that have a value of their own, by ID.
  package func channels(with preference: Preference) -> [SubscriptionID] {
    registers.keys.filter { $0.name == preference.rawValue }.compactMap(\.channel)
      .filter { value(preference, of: $0) != nil }.sorted()
  }
}

extension PreferenceSet {
  /// The register that it writes.
  package var key: PreferenceRegisters.Key { PreferenceRegisters.Key(name: name, channel: channel) }
}
