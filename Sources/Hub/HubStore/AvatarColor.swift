/// The colours of the circles that stand for users. The raw values are stored.
package enum AvatarColor: String, CaseIterable, Sendable {
  case red, orange, green, teal, blue, indigo, purple, pink

  /// As other programs read it: white letters on it have a contrast of at least 4.5. `#b3261e`
  package var hex: String {
    switch self {
    case .red: "#b3261e"
    case .orange: "#9a4600"
    case .green: "#2e6b2e"
    case .teal: "#00696b"
    case .blue: "#1a5fb4"
    case .indigo: "#4355b9"
    case .purple: "#7b3fa0"
    case .pink: "#a8326e"
    }
  }

  /// That of a user who chose none, by the user's number.
  static func standard(of number: Int) -> AvatarColor { allCases[abs(number) % allCases.count] }
}
