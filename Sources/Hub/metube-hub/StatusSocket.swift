import Arguments
import Core
import Glibc
import HubCore
import HubStore
import JSON
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Says how the hub is: one JSON object for each connection to a socket in the state folder, which only its owner may use.
///
/// A hub with a database has none: `status` shows all its processes from there.
final class StatusSocket: Service {
  /// The socket in a state folder.
  static func path(in folder: String) -> String { folder + "/hub.sock" }

  private let folder: String?
  private let gate: Gatekeeper
  private let loop: PollLoop
  private let watch: LogWatch
  private let connections: Connections
  private let inspection: LogInspection
  private let began = Int64(time(nil))
  /// The URL of the hub, once it listens.
  private let starts: AsyncStream<String>
  private let start: AsyncStream<String>.Continuation

  init(
    folder: String?, gate: Gatekeeper, loop: PollLoop, watch: LogWatch, connections: Connections,
    inspection: LogInspection
  ) {
    self.inspection = inspection
    (self.folder, self.gate, self.loop, self.watch, self.connections) = (folder, gate, loop, watch, connections)
    (starts, start) = AsyncStream.makeStream()
  }

  /// Says that the hub listens; only now does it replace the socket of another.
  func started(at url: String) { start.yield(url) }

  func run() async throws {
    var started: String?
    for try await url in starts.cancelOnGracefulShutdown() {
      started = url
      break
    }
    guard let url = started else { return }
    guard let folder else {
      // The end of any service ends the program.
      try? await gracefulShutdown()
      return
    }
    let path = StatusSocket.path(in: folder)
    HubService.makeState(folder)
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Handler(self, url)) }
    }
    do {
      let channel = try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
      chmod(path, 0o600)
      try? await gracefulShutdown()
      try await channel.close()
      unlink(path)
    } catch {
      // It serves all the same.
      Program.report("\(path): \(error); metube-hub status will not find this hub")
      try? await gracefulShutdown()
    }
  }

  private func status(_ url: String) async -> [UInt8] {
    // The rest is worth showing also if the accounts cannot be read.
    let users = (try? await gate.users().count) ?? 0
    func json(_ seconds: Int64?) -> JSONValue { seconds.map { .string(Timestamp(seconds: $0).rfc3339) } ?? .null }
    let (last, next, isPolling) = loop.times
    let value: JSONValue = [
      "url": .string(url), "process": .number(Double(getpid())), "started": json(began),
      "users": .number(Double(users)), "setup": .boolean(gate.firstUser.isAwaited),
      "connections": .number(Double(connections.count)),
      "listeners": .number(Double(watch.count)), "polling": .boolean(isPolling), "lastPoll": json(last),
      "nextPoll": json(next), "damage": .array(inspection.findings.map(\.json)),
    ]
    return value.bytes
  }

  /// Writes the status and closes the connection.
  private final class Handler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let socket: StatusSocket
    private let url: String

    init(_ socket: StatusSocket, _ url: String) { (self.socket, self.url) = (socket, url) }

    func channelActive(context: ChannelHandlerContext) {
      let channel = context.channel
      let (socket, url) = (socket, url)
      channel.eventLoop.makeFutureWithTask { await socket.status(url) }
        .flatMap { channel.writeAndFlush(ByteBuffer(bytes: $0)) }
        .whenComplete { _ in channel.close(promise: nil) }
    }
  }
}

extension LogInspection.Finding {
  /// `{"user":"ann","what":"k3v9x2ap.jsonl: line 57 (byte 9120) is damaged","remedy":"metube-hub log repair ann"}`
  var json: JSONValue {
    [
      "user": user.map { .string($0) } ?? .null, "what": .string(HubTrouble.text(damage)),
      "remedy": .string(HubTrouble.remedy(user)),
    ]
  }
}
