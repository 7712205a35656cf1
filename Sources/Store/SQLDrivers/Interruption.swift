import Synchronization

/// Ends reading early: when no client waits for the result any more, or when its time is over. Statements of a snapshot
/// look at the one of their task or thread and throw `DatabaseError.interrupted`; what is written is never interrupted.
package final class Interruption: Sendable {
  /// That of the work that runs now; nil if it takes as long as it takes.
  @TaskLocal package static var current: Interruption?

  /// Whether the time is over, by the clock of the program or of a test.
  package typealias Deadline = @Sendable () -> Bool

  private let isSet = Atomic<Bool>(false)
  private let state = Mutex(State())

  private struct State {
    var deadline: Deadline?
    var actions: [@Sendable () -> Void] = []
  }

  package init() {}

  /// Begins the time that the work has.
  package func begin(_ deadline: @escaping Deadline) { state.withLock { $0.deadline = deadline } }

  /// Ends the work: no client waits for it.
  package func set() {
    let actions = state.withLock { state in
      isSet.store(true, ordering: .releasing)
      defer { state.actions = [] }
      return state.actions
    }
    for action in actions { action() }
  }

  /// Has `action` run when the work is ended with `set`: at once if it was already.
  package func whenSet(_ action: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if isSet.load(ordering: .acquiring) { return true }
      state.actions.append(action)
      return false
    }
    if isLate { action() }
  }

  /// Whether the work is to end.
  package var isOver: Bool {
    if isSet.load(ordering: .acquiring) { return true }
    return state.withLock { $0.deadline }?() ?? false
  }

  /// Throws if the work that runs now is to end.
  package static func check() throws(DatabaseError) {
    if let current, current.isOver { throw .interrupted }
  }
}
