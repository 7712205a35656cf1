/// The most recent runs of all devices.
///
/// Independent of order and repetition: the runs with the highest IDs are kept.
package struct RecentRuns: Equatable, Sendable {
  /// The runs and when they ended, oldest first. The failed and recovered channels stay in the log only, because they
  /// would make the size of a run unbounded.
  package private(set) var list: [Register<RunFinished>] = []

  /// The number kept: a day of an hourly timer.
  package static let most = 24

  /// An empty list.
  package init() {}

  /// Restores a list from a snapshot, oldest first.
  init(list: [Register<RunFinished>]) { self.list = list }

  /// The most recent run.
  package var last: Register<RunFinished>? { list.last }

  /// Adds a run.
  package mutating func note(_ run: RunFinished, by id: EventID) {
    let place = list.lastIndex { $0.id <= id }.map { $0 + 1 } ?? 0
    guard place == 0 || list[place - 1].id != id, !isSuperseded(id) else { return }
    var run = run
    (run.failing, run.recovered) = ([], [])
    list.insert(Register(run, by: id), at: place)
    if list.count > RecentRuns.most { list.removeFirst() }
  }

  /// Whether the list is full of later runs.
  package func isSuperseded(_ id: EventID) -> Bool {
    list.count == RecentRuns.most && list.first.map { id < $0.id } ?? false
  }
}
