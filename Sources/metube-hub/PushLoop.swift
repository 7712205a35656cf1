import Commands
import Core
import HTTPTypes
import HubStore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// A subscriber of WebSub (W3C Recommendation of 2018): subscribes to channels at hubs, and polls a channel whose news
/// is announced. What a hub sends is a hint, never the content.
final class PushLoop: Service {
  private let files: HubFiles
  /// The URL of the hub as others reach it, which callbacks begin with.
  private let address: String
  /// The one log, or that of the catalogue, which follows what any user follows.
  private let services: ConnectionPool<HubService>
  private let stores: ConnectionPool<PushStore>
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation
  private let isEnding = Mutex(false)
  /// When each channel was polled last because of a push, seconds.
  private let polled = Mutex<[String: Int64]>([:])
  /// Until when no request is sent to any hub, after failures, and their number.
  private let rest = Mutex<(until: Int64, failures: Int)>((0, 0))

  /// `folder` is that of the accounts.
  init(_ files: HubFiles, folder: String, address: String) {
    (self.files, self.address) = (files, address)
    services = ConnectionPool { try HubService(files, user: nil) }
    stores = ConnectionPool { try PushStore(folder: folder) }
    (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Runs what is due, every 15 seconds and after each push.
  func run() async throws {
    let ticks = Task {
      while !Task.isCancelled {
        wake.yield()
        try await Task.sleep(for: PushLoop.interval)
      }
    }
    await withGracefulShutdownHandler {
      for await _ in wakes {
        do { try await step() } catch { Program.report("push: \(error)") }
      }
    } onGracefulShutdown: {
      ticks.cancel()
      self.isEnding.withLock { $0 = true }
      self.wake.finish()
    }
    ticks.cancel()
    // From now on nobody receives pushes, so polls must not rely on them.
    do { try HubService.forgetPushed(files) } catch { Program.report("push: \(error)") }
  }

  private static let interval = Duration.seconds(15)
  /// The maximum number of requests in one step, and the time between two.
  private static let mostRequests = 20
  private static let pace = Duration.milliseconds(500)

  // MARK: What is due

  private func step() async throws {
    let targets = try await services.run(on: HubThreads.reading) { try $0.pushTargets() }
    try await follow(targets)
    try await subscribe(targets)
    try await storePushed()
    try await poll(targets)
  }

  /// Adds a subscription for each new channel.
  private func follow(_ targets: [HubPush.Target]) async throws {
    try await stores.run(on: HubThreads.accounts) { store in
      let known = Set(try store.all().map(\.channel))
      for target in targets where !known.contains(target.channel) {
        if let source = target.source { try store.add(target.channel, hub: source.hub, topic: source.topic) }
      }
    }
  }

  private func subscribe(_ targets: [HubPush.Target]) async throws {
    let wanted = Dictionary(targets.map { ($0.channel, $0) }) { $1 }
    var count = 0
    for subscription in try await stores.run(on: HubThreads.accounts, { try $0.all() }) {
      // Without polling state nothing is known of the hub, and so nothing else is wanted.
      let isWanted =
        wanted[subscription.channel].map { target in
          target.source.map { $0.hub == subscription.hub && $0.topic == subscription.topic } ?? true
        } ?? false
      switch subscription.next(at: Gatekeeper.now, isWanted: isWanted) {
      case nil: continue
      case .remove: try await stores.run(on: HubThreads.accounts) { try $0.remove(subscription) }
      case .send(let request):
        guard count < PushLoop.mostRequests, rest.withLock({ $0.until <= Gatekeeper.now }),
          !isEnding.withLock({ $0 })
        else { return }
        if count > 0 { try await Task.sleep(for: PushLoop.pace) }
        count += 1
        try await send(request, of: subscription)
      }
    }
  }

  private func send(_ request: PushSubscription.Request, of subscription: PushSubscription) async throws {
    let callback = subscription.callback
    // Before the request: the hub may verify it while it is under way.
    _ = try await change(callback) { $0.noteSent(request, at: Gatekeeper.now) }
    var form = [
      (name: "hub.callback", value: "\(address)/push/\(callback)"), (name: "hub.mode", value: request.rawValue),
      (name: "hub.topic", value: subscription.topic),
    ]
    if request == .subscribe {
      form.append((name: "hub.secret", value: subscription.secret))
      form.append((name: "hub.lease_seconds", value: String(PushSubscription.wantedLease)))
    }
    let answer = try await services.run(on: HubThreads.polling) { [form] service in
      try service.send(form, toHub: subscription.hub)
    }
    switch answer {
    case .accepted: rest.withLock { $0 = (0, 0) }
    case .refused(let status):
      Program.report("push: the hub refuses to \(request.rawValue) \(subscription.channel): HTTP \(status)")
      _ = try await change(callback) { $0.noteRefused(at: Gatekeeper.now) }
    case .failed(let words, let retryAfter):
      _ = try await change(callback) { $0.noteRefused(at: Gatekeeper.now) }
      let wait = rest.withLock { rest -> Int64 in
        let failures = rest.failures + 1
        let wait = min(max(PushSubscription.wait(after: failures), retryAfter ?? 0), 86_400)
        rest = (Gatekeeper.now + wait, failures)
        return wait
      }
      Program.report("push: the hub does not answer: \(words); next attempt in \(wait / 60) min")
    }
  }

  private func change(
    _ callback: String, _ body: @escaping @Sendable (inout PushSubscription) -> Void
  ) async throws -> PushSubscription? {
    try await stores.run(on: HubThreads.accounts) { try $0.change(callback, body) }
  }

  /// Stores until when each channel is polled once a day: while its lease is active and this process renews the entry.
  private func storePushed() async throws {
    let now = Gatekeeper.now
    let active = try await stores.run(on: HubThreads.accounts) { try $0.all() }.filter { $0.isActive(at: now) }
    // Rounded to half a day, so that the file does not change at every step.
    let most = (now / PushLoop.halfDay + 3) * PushLoop.halfDay
    let pushed = Dictionary(active.map { ($0.channel, min($0.lease?.end ?? 0, most)) }) { $1 }
    try await services.run(on: HubThreads.writing) { try $0.setPushed(pushed) }
  }

  private static let halfDay: Int64 = 43_200

  /// Polls the channels whose news was announced, each at most once in 15 minutes.
  private func poll(_ targets: [HubPush.Target]) async throws {
    let requested = Dictionary(targets.map { ($0.channel, $0.requested) }) { $1 }
    var due: [String] = []
    for subscription in try await stores.run(on: HubThreads.accounts, { try $0.all() }) {
      guard let pushed = subscription.pushed else { continue }
      let now = Gatekeeper.now
      let last = requested[subscription.channel] ?? nil
      if requested[subscription.channel] == nil || last.map({ $0 > pushed }) ?? false {
        // Unfollowed, or polled since.
        _ = try await change(subscription.callback) { if $0.pushed == pushed { $0.pushed = nil } }
        continue
      }
      let before = max(last ?? 0, polled.withLock { $0[subscription.channel] } ?? 0)
      if now >= before + PollPlan.floor || before > now { due.append(subscription.channel) }
    }
    guard !due.isEmpty, !isEnding.withLock({ $0 }) else { return }
    let now = Gatekeeper.now
    polled.withLock { polled in
      polled = polled.filter { $0.value + PollPlan.floor > now }
      for channel in due { polled[channel] = now }
    }
    try await HubThreads.polling.run { [due] in HubPoll.run(self.files, users: [], channels: due) }
  }

  // MARK: What hubs send

  /// Responds to a hub that verifies or denies a request (WebSub §5.2, §5.3).
  func verify(_ callback: String, _ query: [(name: String, value: String)]) async throws -> HubAnswer {
    func field(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
    let (topic, challenge, now) = (field("hub.topic"), field("hub.challenge"), Gatekeeper.now)
    let seconds = Int64(field("hub.lease_seconds"))
    let mode = field("hub.mode")
    let changed = try await stores.run(on: HubThreads.accounts) { store in
      try store.change(callback) { subscription in
        switch mode {
        case "denied" where topic == subscription.topic: subscription.noteEnded(at: now)
        case "subscribe" where subscription.confirms(.subscribe, topic: topic, at: now) && !challenge.isEmpty:
          subscription.noteSubscribed(for: seconds, at: now)
        case "unsubscribe" where subscription.confirms(.unsubscribe, topic: topic, at: now) && !challenge.isEmpty:
          subscription.noteEnded(at: now)
        default: throw PushLoop.unknown
        }
      }
    }
    guard let changed else { throw PushLoop.unknown }
    if mode == "denied" { Program.report("push: the hub denies the subscription to \(changed.channel)") }
    wake.yield()
    return HubAnswer(200, "text/plain; charset=utf-8", Array((mode == "denied" ? "" : challenge).utf8))
  }

  /// Throws if nothing is subscribed under a callback: before the body of a request to it is read.
  func check(_ callback: String) async throws {
    let subscription = try await stores.run(on: HubThreads.accounts) { try $0.subscription(callback: callback) }
    guard subscription != nil else { throw PushLoop.unknown }
  }

  /// Receives a push: the feed is polled soon if the signature is valid (WebSub §7).
  func take(_ callback: String, _ headers: HTTPFields, _ body: [UInt8]) async throws -> HubAnswer {
    let (signature, now) = (HTTPField.Name("X-Hub-Signature").flatMap { headers[$0] }, Gatekeeper.now)
    let isNew = try await stores.run(on: HubThreads.accounts) { store -> Bool in
      guard let subscription = try store.subscription(callback: callback) else { throw PushLoop.unknown }
      guard subscription.lease != nil else { throw HubProblem(410, "not subscribed") }
      guard PushSignature.isRight(signature, of: body, secret: subscription.secret) else {
        throw HubProblem(403, "the signature is missing or wrong")
      }
      // Also while a poll that may have read the feed already goes on; of a flood once a second.
      if subscription.pushed != now { _ = try store.change(callback) { $0.pushed = now } }
      return subscription.pushed == nil
    }
    if isNew { wake.yield() }
    return HubAnswer(202, "text/plain; charset=utf-8", [])
  }

  private static let unknown = HubProblem(404, "no such subscription")
}
