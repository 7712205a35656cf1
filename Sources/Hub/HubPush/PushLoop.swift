import Arguments
import Core
import Glibc
import HTTPTypes
import HubCore
import HubLimits
import HubStore
import ReadModel
import ServiceLifecycle
import Synchronization

/// A subscriber of WebSub (W3C Recommendation of 2018): subscribes to channels at hubs, and has a channel polled whose
/// news is announced. What a hub sends is a hint, never the content.
package final class PushLoop: Service {
  private let backend: any PushBackend
  private let client: PushClient
  /// The URL of the hub as others reach it, which callbacks begin with.
  private let address: String
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation
  private let isEnding = Mutex(false)
  private let rests = Mutex(PushRests())

  /// A subscriber whose callbacks begin with `address`.
  package init(_ backend: any PushBackend, _ client: PushClient, address: String) {
    (self.backend, self.client, self.address) = (backend, client, address)
    (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  private var stores: ConnectionPool<PushStore> { backend.stores }

  /// Runs what is due, every 15 seconds and after each push.
  package func run() async throws {
    let ticks = Task {
      while !Task.isCancelled {
        wake.yield()
        try await Task.sleep(for: PushLoop.interval)
      }
    }
    await withGracefulShutdownHandler {
      for await _ in wakes {
        await PushLoop.reporting { try await self.step() }
      }
    } onGracefulShutdown: {
      ticks.cancel()
      self.isEnding.withLock { $0 = true }
      self.wake.finish()
    }
    ticks.cancel()
    await PushLoop.reporting { try await backend.end() }
  }

  private static func reporting(_ body: () async throws -> Void) async {
    do { try await body() } catch { Program.report("push: \(Program.message(of: error))") }
  }

  private static let interval = Duration.seconds(15)
  /// The maximum number of requests in one step, and the time between two.
  private static let maxRequests = 20
  private static let pace = Duration.milliseconds(500)

  // MARK: What is due

  private func step() async throws {
    let isWhole = try await subscribe(backend.tasks())
    try await backend.endStep(isWhole: isWhole, isLast: isEnding.withLock { $0 })
  }

  /// Sends the requests that are due, but not too many in one step; returns whether it looked at all tasks.
  private func subscribe(_ tasks: [PushTask]) async throws -> Bool {
    let now = try await stores.run(on: HubThreads.accounts) { try $0.now() }
    var count = 0
    for task in tasks {
      switch task.subscription.next(at: now, isWanted: task.isWanted) {
      case nil: break
      case .remove: try await stores.run(on: HubThreads.accounts) { try $0.remove(task.subscription) }
      case .send where rests.withLock({ $0.isResting(task.subscription.hub, at: Int64(time(nil))) }): break
      case .send(let request):
        guard count < PushLoop.maxRequests, !isEnding.withLock({ $0 }), try await backend.isInCharge()
        else { return false }
        if count > 0 { try await Task.sleep(for: PushLoop.pace) }
        count += 1
        try await send(request, task)
      }
      backend.note(task)
    }
    return true
  }

  private func send(_ request: PushSubscription.Request, _ task: PushTask) async throws {
    let subscription = task.subscription
    let callback = subscription.callback
    // Before the request: the hub may verify it while it is under way.
    let isNext = try await stores.run(on: HubThreads.accounts) {
      try $0.begin(request, of: callback, isWanted: task.isWanted)
    }
    guard isNext else { return }
    var form = [
      (name: "hub.callback", value: "\(address)/push/\(callback)"), (name: "hub.mode", value: request.rawValue),
      (name: "hub.topic", value: subscription.topic),
    ]
    if request == .subscribe {
      form.append((name: "hub.secret", value: subscription.secret))
      form.append((name: "hub.lease_seconds", value: String(PushSubscription.wantedLease)))
    }
    let response = try await HubThreads.polling.run { [client, form] in try client.send(form, toHub: subscription.hub) }
    switch response {
    case .accepted: rests.withLock { $0.noteAccepted(subscription.hub) }
    case .refused(let status):
      Program.report("push: the hub refuses to \(request.rawValue) \(subscription.channel): HTTP \(status)")
      _ = try await change(callback) { $0.noteRefused(at: $1) }
    case .failed(let reason, let retryAfter):
      _ = try await change(callback) { $0.noteRefused(at: $1) }
      let wait = rests.withLock {
        $0.noteFailure(subscription.hub, retryAfter: retryAfter, at: Int64(time(nil)))
      }
      let hub = PushRests.hub(of: subscription.hub)
      Program.report("push: \(hub) does not answer: \(reason); next attempt in \(wait / 60) min")
    }
  }

  private func change(
    _ callback: String, _ body: @escaping @Sendable (inout PushSubscription, _ now: Int64) -> Void
  ) async throws -> PushSubscription? {
    try await stores.run(on: HubThreads.accounts) { store in
      let now = try store.now()
      return try store.change(callback) { body(&$0, now) }
    }
  }

  // MARK: What hubs send

  /// Responds to a hub that verifies or denies a request (WebSub §5.2, §5.3).
  package func verify(_ callback: String, _ query: [(name: String, value: String)]) async throws -> RouteResponse {
    func field(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
    let (topic, challenge) = (field("hub.topic"), field("hub.challenge"))
    let seconds = Int64(field("hub.lease_seconds"))
    let mode = field("hub.mode")
    let changed = try await stores.run(on: HubThreads.accounts) { [backend] store in
      let now = try store.now()
      var wasActive = false
      let changed = try store.change(callback) { subscription in
        wasActive = subscription.isActive(at: now)
        switch mode {
        case "denied" where topic == subscription.topic: subscription.noteEnded(at: now)
        case "subscribe" where subscription.confirms(.subscribe, topic: topic, at: now) && !challenge.isEmpty:
          subscription.noteSubscribed(for: seconds, at: now)
        case "unsubscribe" where subscription.confirms(.unsubscribe, topic: topic, at: now) && !challenge.isEmpty:
          subscription.noteEnded(at: now)
        default: throw PushLoop.unknown
        }
      }
      if let changed, wasActive, !changed.isActive(at: now) { try backend.noteEnd(of: changed, in: store) }
      return changed
    }
    guard let changed else { throw PushLoop.unknown }
    if mode == "denied" { Program.report("push: the hub denies the subscription to \(changed.channel)") }
    wake.yield()
    return RouteResponse(200, "text/plain; charset=utf-8", Array((mode == "denied" ? "" : challenge).utf8))
  }

  /// Throws if nothing is subscribed under a callback: before the body of a request to it is read.
  package func check(_ callback: String) async throws {
    let subscription = try await stores.run(on: HubThreads.accounts) { try $0.subscription(callback: callback) }
    guard subscription != nil else { throw PushLoop.unknown }
  }

  /// Receives a push: the feed is polled soon if the signature is valid (WebSub §7).
  package func take(_ callback: String, _ headers: HTTPFields, _ body: [UInt8]) async throws -> RouteResponse {
    let signature = HTTPField.Name("X-Hub-Signature").flatMap { headers[$0] }
    let isNew = try await stores.run(on: HubThreads.accounts) { [backend] store -> Bool in
      guard let subscription = try store.subscription(callback: callback) else { throw PushLoop.unknown }
      guard subscription.lease != nil else { throw HubProblem(410, "not subscribed") }
      guard PushSignature.isRight(signature, of: body, secret: subscription.secret) else {
        throw HubProblem(403, "the signature is missing or wrong")
      }
      return try backend.takeNews(of: subscription, in: store)
    }
    if isNew { wake.yield() }
    return RouteResponse(202, "text/plain; charset=utf-8", [])
  }

  private static let unknown = HubProblem(404, "no such subscription")
}
