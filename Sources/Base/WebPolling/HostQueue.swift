/// The requests of a run that wait, by host: one at a time to each, with a distance in time.
struct HostQueue: Sendable {
  private struct Line: Sendable {
    var requests: [WebFeedRequest]
    /// The request under way; nil if absent.
    var isBusy = false
    /// When the next may be sent, in milliseconds of a monotonic clock.
    var nextAt = Int.min
  }

  private var lines: [String: Line] = [:]
  /// Hosts with requests that wait and none under way, in the order of their turns.
  private var ready: [String] = []
  private(set) var inFlight = 0

  /// What to do next.
  enum Step: Equatable { case send(WebFeedRequest), wait(Int), idle, done }

  /// The number of requests that wait.
  var waiting: Int { lines.values.reduce(0) { $0 + $1.requests.count } }

  /// Adds a request, before all others to its host if it is `urgent`.
  mutating func add(_ request: WebFeedRequest, urgent: Bool) {
    var line = lines[request.host] ?? Line(requests: [])
    if line.requests.isEmpty, !line.isBusy { ready.append(request.host) }
    line.requests.insert(request, at: urgent ? 0 : line.requests.endIndex)
    lines[request.host] = line
  }

  /// The next step at a moment of a monotonic clock.
  mutating func next(at steady: Int) -> Step {
    guard !ready.isEmpty else { return inFlight > 0 ? .idle : .done }
    guard inFlight < WebPace.hosts else { return .idle }
    var earliest = Int.max
    for (index, host) in ready.enumerated() {
      guard var line = lines[host] else { continue }
      guard line.nextAt <= steady else {
        earliest = min(earliest, line.nextAt)
        continue
      }
      ready.remove(at: index)
      let request = line.requests.removeFirst()
      line.isBusy = true
      lines[host] = line
      inFlight += 1
      return .send(request)
    }
    return .wait(earliest - steady)
  }

  /// Records that a request ended.
  mutating func noteEnded(_ request: WebFeedRequest, at steady: Int) {
    guard var line = lines[request.host], line.isBusy else { return }
    line.isBusy = false
    line.nextAt = steady + (WebPace.slowHosts[request.host] ?? WebPace.betweenRequests)
    if !line.requests.isEmpty { ready.append(request.host) }
    lines[request.host] = line
    inFlight -= 1
  }

  /// Drops what waits for a host; returns it.
  mutating func drop(_ host: String) -> [WebFeedRequest] {
    let dropped = lines[host]?.requests ?? []
    lines[host]?.requests = []
    ready.removeAll { $0 == host }
    return dropped
  }

  /// Drops all that waits.
  mutating func dropAll() {
    for host in lines.keys { lines[host]?.requests = [] }
    ready = []
  }
}
