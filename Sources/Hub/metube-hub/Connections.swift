import HubLimits
import NIOCore
import ReadModel
import SQLDrivers
import Synchronization

/// The open connections. If there are too many, one closes, as `ConnectionTable` decides: a new client is served, however
/// many connections others hold.
final class Connections: Sendable {
  private typealias Table = ConnectionTable<ObjectIdentifier>

  private struct State {
    var table: Table
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// What ends the reading for the requests that are answered.
    var interruptions: [ObjectIdentifier: Interruption] = [:]
    /// What ends the event streams that connections get.
    var streams: [ObjectIdentifier: @Sendable () -> Void] = [:]
  }

  private let proxies: TrustedProxies
  private let state: Mutex<State>

  init(maximum: Int, proxies: TrustedProxies) {
    self.proxies = proxies
    state = Mutex(State(table: Table(maximum: maximum)))
  }

  var count: Int { state.withLock { $0.table.count } }

  func add(_ channel: any Channel) {
    let peer = channel.remoteAddress?.ipAddress ?? ""
    let address = proxies.contain(peer) ? nil : AddressBlock.containing(peer)
    let closed = state.withLock { state -> (any Channel)? in
      state.channels[ObjectIdentifier(channel)] = channel
      guard let id = state.table.add(ObjectIdentifier(channel), from: address) else { return nil }
      return state.channels.removeValue(forKey: id)
    }
    closed?.close(promise: nil)
  }

  /// Closes every connection, also those whose requests are being answered.
  func closeAll() {
    for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
  }

  func remove(_ channel: any Channel) {
    let (interruption, end) = state.withLock { state in
      let id = ObjectIdentifier(channel)
      state.table.remove(id)
      state.channels[id] = nil
      return (state.interruptions.removeValue(forKey: id), state.streams.removeValue(forKey: id))
    }
    interruption?.set()
    end?()
  }

  /// Notes what ends the reading for the present request of a connection, once its client has gone; nil after it.
  func set(_ channel: any Channel, _ interruption: Interruption?) {
    let isOpen = state.withLock { state in
      let id = ObjectIdentifier(channel)
      let isOpen = state.channels[id] != nil
      state.interruptions[id] = isOpen ? interruption : nil
      return isOpen
    }
    if !isOpen { interruption?.set() }
  }

  /// Ends the reading for the present request of a connection.
  func interrupt(_ channel: any Channel) {
    let interruption = state.withLock { $0.interruptions[ObjectIdentifier(channel)] }
    interruption?.set()
  }

  /// Notes that a connection gets an event stream, and what ends it once the client has gone.
  func listen(_ channel: any Channel, end: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      let id = ObjectIdentifier(channel)
      let isOpen = state.channels[id] != nil
      state.streams[id] = isOpen ? end : nil
      state.table.set(id, .listening)
      return isOpen
    }
    if !isOpen { end() }
  }

  /// Ends the event stream of a connection that sends nothing more: its client has gone.
  func endStream(_ channel: any Channel) {
    let end = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(channel)) }
    end?()
  }

  /// Notes what a connection does from now on.
  func set(_ channel: any Channel, _ activity: ConnectionTable<ObjectIdentifier>.Activity) {
    state.withLock { $0.table.set(ObjectIdentifier(channel), activity) }
  }

  /// Notes the address of the client that sends a connection's present request.
  func set(_ channel: any Channel, client: String) {
    state.withLock { $0.table.set(ObjectIdentifier(channel), client: AddressBlock.containing(client)) }
  }

  /// Notes who sends a connection's present request.
  func set(_ channel: any Channel, sender: ConnectionTable<ObjectIdentifier>.Sender) {
    state.withLock { $0.table.set(ObjectIdentifier(channel), sender: sender) }
  }

  /// Whether a connection has an unfinished body for a route that needs no login.
  func isSendingAsStranger(_ channel: any Channel) -> Bool {
    state.withLock { $0.table.isSendingAsStranger(ObjectIdentifier(channel)) }
  }
}
