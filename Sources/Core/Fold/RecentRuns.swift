/// The last runs of all devices.
///
/// Order-free: those with the highest ids are kept, in whatever order and how often they come.
package struct RecentRuns: Equatable, Sendable {
  /// The runs and when they ended, the oldest first. Which channels failed or recovered in one is left to the log: with
  /// it the room a run takes had no bound.
  package private(set) var list: [Register<RunFinished>] = []

  /// How many are kept: a day of an hourly timer.
  package static let most = 24

  /// No runs.
  package init() {}

  /// The runs of a list that was kept, the oldest first.
  init(list: [Register<RunFinished>]) { self.list = list }

  /// The run that ended last.
  package var last: Register<RunFinished>? { list.last }

  /// Takes note of a run.
  package mutating func note(_ run: RunFinished, by id: EventID) {
    let place = list.lastIndex { $0.id <= id }.map { $0 + 1 } ?? 0
    guard place == 0 || list[place - 1].id != id, !isSuperseded(id) else { return }
    var run = run
    (run.failing, run.recovered) = ([], [])
    list.insert(Register(run, by: id), at: place)
    if list.count > RecentRuns.most { list.removeFirst() }
  }

  /// Whether there are as many later runs as are kept.
  package func isSuperseded(_ id: EventID) -> Bool {
    list.count == RecentRuns.most && list.first.map { id < $0.id } ?? false
  }
}
