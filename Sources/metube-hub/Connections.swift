import NIOCore
import ReadModel
import Synchronization

/// The open connections. If there are too many, the one that has had no request for longest is closed: whoever has one is
/// served, however many others only wait.
final class Connections: Sendable {
  private struct Open {
    let channel: any Channel
    /// When it began to wait for a request, by `ticks`; nil while one is answered.
    var idleSince: Int?
    /// Ends the reading for the request that is answered.
    var interruption: Interruption?
  }

  private struct State {
    var open: [ObjectIdentifier: Open] = [:]
    var ticks = 0
  }

  private let most: Int
  private let state = Mutex(State())

  init(most: Int) { self.most = most }

  var count: Int { state.withLock { $0.open.count } }

  func add(_ channel: any Channel) {
    let oldest = state.withLock { state -> (any Channel)? in
      state.ticks += 1
      state.open[ObjectIdentifier(channel)] = Open(channel: channel, idleSince: state.ticks)
      guard state.open.count > most else { return nil }
      let idle = state.open.filter { $0.value.idleSince != nil }
      guard let first = idle.min(by: { $0.value.idleSince ?? 0 < $1.value.idleSince ?? 0 }) else { return nil }
      state.open[first.key] = nil
      return first.value.channel
    }
    oldest?.close(promise: nil)
  }

  func remove(_ channel: any Channel) {
    let open = state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
    open?.interruption?.set()
  }

  /// Notes what ends the reading for the present request of a connection, once its client has gone; nil after it.
  func set(_ channel: any Channel, _ interruption: Interruption?) {
    let isOpen = state.withLock { state in
      let id = ObjectIdentifier(channel)
      state.open[id]?.interruption = interruption
      return state.open[id] != nil
    }
    if !isOpen { interruption?.set() }
  }

  /// Ends the reading for the present request of a connection.
  func interrupt(_ channel: any Channel) {
    let interruption = state.withLock { $0.open[ObjectIdentifier(channel)]?.interruption }
    interruption?.set()
  }

  /// Notes that a connection has a request, or waits for one again.
  func set(_ channel: any Channel, isIdle: Bool) {
    state.withLock { state in
      state.ticks += 1
      state.open[ObjectIdentifier(channel)]?.idleSince = isIdle ? state.ticks : nil
    }
  }
}
