/// Attempts at what can be guessed, counted in windows of a minute.
///
/// An attempt is reserved before it is known whether the guess is right, and given back if it is. Once a limit is
/// reached, right and wrong guesses therefore get the same response, which does not depend on the guess.
package struct Attempts: Sendable {
  package typealias Instant = ContinuousClock.Instant

  /// What attempts are counted by.
  package struct Key: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
      /// The name of a user, wherever the attempts come from.
      case name
      /// An address, whatever names it tries.
      case address
      /// A name at an address from which it logged in before: instead of both of the above.
      case pair
      /// A user in a session, which guesses elsewhere do not touch.
      case session
    }

    package var kind: Kind
    package var text: String

    /// The attempts of a minute.
    package var maximum: Int {
      switch kind {
      case .name, .pair, .session: 5
      case .address: 20
      }
    }

    /// The key by which all processes of a hub count it: `name ann`.
    package var shared: String { "\(kind.rawValue) \(text)" }

    package static func name(_ name: String) -> Key { Key(kind: .name, text: name) }
    package static func address(_ address: String) -> Key { Key(kind: .address, text: address) }
    /// Neither part contains a blank.
    package static func pair(_ name: String, _ address: String) -> Key { Key(kind: .pair, text: "\(name) \(address)") }
    /// As above.
    package static func session(_ session: String, of name: String) -> Key {
      Key(kind: .session, text: "\(name) \(session)")
    }
  }

  private struct Window {
    var ends: Instant
    var count: Int
  }

  package static let length = Duration.seconds(60)

  /// By kind, so that attempts from a million addresses make no name forgotten.
  private var windows: [Key.Kind: BoundedTable<String, Window>]

  /// Counts by at most `maxKeys` keys of a kind; of more those are forgotten that were tried the longest ago.
  package init(maxKeys: Int = 20_000) {
    windows = Dictionary(uniqueKeysWithValues: Key.Kind.allCases.map { ($0, BoundedTable(maximum: maxKeys)) })
  }

  /// How long to wait until each key has an attempt left; nil if it has now.
  package func wait(_ keys: [Key], at now: Instant) -> Duration? {
    keys.compactMap { key in window(key, at: now).flatMap { $0.count >= key.maximum ? $0.ends - now : nil } }.max()
  }

  /// Takes an attempt of each key; ask `wait` first.
  package mutating func reserve(_ keys: [Key], at now: Instant) {
    for key in keys {
      var window = window(key, at: now) ?? Window(ends: now + Attempts.length, count: 0)
      window.count += 1
      windows[key.kind]?[key.text] = window
    }
  }

  /// Gives back an attempt that was reserved at some moment, unless its minute is over.
  package mutating func release(_ keys: [Key], reserved: Instant, at now: Instant) {
    for key in keys {
      guard var window = window(key, at: now), window.ends - Attempts.length <= reserved, window.count > 0 else {
        continue
      }
      window.count -= 1
      windows[key.kind]?[key.text] = window
    }
  }

  /// Takes over what all processes counted, if that is more, in a minute that ends at some moment.
  package mutating func learn(_ key: Key, count: Int, until ends: Instant, at now: Instant) {
    guard ends > now, count > window(key, at: now)?.count ?? 0 else { return }
    windows[key.kind]?[key.text] = Window(ends: ends, count: count)
  }

  private func window(_ key: Key, at now: Instant) -> Window? {
    windows[key.kind]?[key.text].flatMap { now < $0.ends ? $0 : nil }
  }
}
