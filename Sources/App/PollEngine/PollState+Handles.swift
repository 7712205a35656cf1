import App
import Core
import Platform

extension PollState {
  /// The followed handles whose last look-up failed, with why and when: `@nasaa: HTTP 404, looked up 2 h ago`.
  package func handleFailures(_ state: State, _ tags: [String] = []) -> [String] {
    state.unresolved(tags).compactMap { name in
      names[name.handle].map { known in
        let advice = known.isUndecided ? "" : "; check the spelling, or unfollow it"
        return "\(DisplayText(name.handle).text): \(known.lastOutcome), looked up \(known.requested.local)\(advice)"
      }
    }
  }
}
