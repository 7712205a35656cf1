import Core
import Foundation
import Glibc
import HubAPI
import HubCore
import HubWeb
import JSON
import Seeded
import Synchronization
import TestSupport
import Testing
import metube_hub

/// Many damaged requests of every route. `METUBE_RSS_LARGE` sends 100,000; `METUBE_RSS_SEED` repeats a run.
@Suite("Damaged requests")
final class HubMutationTests: TwoUsers {
  private static let count = SyncedDevice.isLarge ? 100_000 : 1200
  private static let clients = 4
  /// Users of the requests, each of whom has a limit of them in a minute.
  private static let users = SyncedDevice.isLarge ? 60 : 6

  @Test("No damaged request is a failure of the hub, or shows or changes what another user decided")
  func requests() throws {
    let hers = try decide()
    let before = try sandbox.hubLines("ann")
    let seed = getenv("METUBE_RSS_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 0..<1_000_000)
    let clients = try clients(hers, seed)
    let outcome = Mutex(Outcome())
    DispatchQueue.concurrentPerform(iterations: clients.count) { clients[$0].run(outcome) }
    let (faults, statuses) = outcome.withLock { ($0.faults, $0.statuses) }
    #expect(faults.isEmpty, "seed \(seed): \(faults.count) faults: \(faults.prefix(5).joined(separator: "\n"))")
    // Otherwise nothing but the door was tried.
    let count = Double(HubMutationTests.count)
    #expect(
      Double(statuses[429] ?? 0) < count / 10 && Double((statuses[503] ?? 0) + (statuses[504] ?? 0)) < count / 100,
      "\(statuses)")
    #expect(Double(statuses[401] ?? 0) < count / 4 && (statuses[200] ?? 0) > 0, "\(statuses)")
    #expect(try hub.get("/api/v1/status", ann).status == 200)
    #expect(try sandbox.hubLines("ann") == before)
    #expect(hub.peakMemory < 300 << 20, "\(hub.peakMemory >> 20) MB")
  }

  private func clients(_ hers: Hers, _ seed: UInt64) throws -> [MutatingClient] {
    var users: [(bearer: String, values: RouteSample.Values)] = []
    for number in 0..<HubMutationTests.users {
      try sandbox.addUser("u\(number)")
      let bearer = try sandbox.bearer("u\(number)")
      users.append((bearer, values(hers, bearer)))
    }
    return (0..<HubMutationTests.clients).map { number in
      MutatingClient(
        port: hub.port, seed: seed &+ UInt64(number), count: HubMutationTests.count / HubMutationTests.clients,
        users: users.enumerated().filter { $0.offset % HubMutationTests.clients == number }.map(\.element), hers: hers)
    }
  }

  /// The values of paths and bodies: half of them are of somebody else.
  private func values(_ hers: Hers, _ bearer: String) -> RouteSample.Values {
    var parts = hers.parts
    parts["{secret}"] = String(bearer.split(separator: " ").last ?? "")
    parts["{stream*}"] = "feed/1"
    parts["{callback}"] = String(repeating: "x", count: 43)
    return RouteSample.Values(parts: parts, video: hers.parts["{video}"] ?? "", channel: TwoUsers.other)
  }
}

/// What went wrong, and how often each status came.
private struct Outcome {
  var faults: [String] = []
  var statuses: [Int: Int] = [:]
}

/// A client, which sends requests with the credentials of users in turn.
private struct MutatingClient: Sendable {
  let port: UInt16
  let seed: UInt64
  let count: Int
  /// The headers of the users, and what their requests name.
  let users: [(bearer: String, values: RouteSample.Values)]
  let hers: TwoUsers.Hers

  /// All routes but those that hash passwords, which are slow by design and limited by address, and the endless one.
  private static let routes = (HubRoute.all + HubRoute.dialects + HubRoute.push + HubRoute.pages).filter {
    !["logIn", "logInByForm", "pair", "events", "/accounts/ClientLogin", "/api/auth/login"].contains($0.name)
  }

  /// Sends its requests, one after the other.
  func run(_ outcome: borrowing Mutex<Outcome>) {
    var mutation = RequestMutation(random: SeededGenerator(seed: seed))
    var user = 0
    for _ in 0..<count {
      let route = MutatingClient.routes[Int.random(in: 0..<MutatingClient.routes.count, using: &mutation.random)]
      let sample = RouteSample(route, users[user].values, &mutation.random, isFull: true)
      let request = mutation.damaged(sample, ["Host: 127.0.0.1:\(port)", users[user].bearer])
      let (status, fault) = response(to: request)
      if status == 429 { user = (user + 1) % users.count }
      outcome.withLock { outcome in
        outcome.statuses[status, default: 0] += 1
        if let fault { outcome.faults.append("\(fault): \(String(decoding: request.prefix(600), as: UTF8.self))") }
      }
    }
  }

  /// The status of a request, 0 if the connection was closed without one, and what is wrong with the response.
  private func response(to request: [UInt8]) -> (status: Int, fault: String?) {
    do {
      let connection = try HubConnection(port)
      connection.write(request)
      connection.finishWriting()
      let bytes = connection.readAll()
      guard !bytes.isEmpty else { return (0, nil) }
      let response = try HubResponse(bytes)
      // On a busy machine a request may wait or take too long.
      if response.status >= 500, response.status != 503, response.status != 504 {
        return (response.status, "\(response.status) \(response.text.prefix(200))")
      }
      let shown = hers.shown(hers.decisions, by: response, to: String(decoding: request, as: UTF8.self))
      return (response.status, shown.map { "shows \($0)" })
    } catch { return (0, "\(error)") }
  }
}
