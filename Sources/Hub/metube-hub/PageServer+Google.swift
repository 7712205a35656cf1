import HubCore
import HubGoogle
import HubLimits
import HubStore
import ServiceLifecycle

extension PageServer {
  /// The view and the forms of the visitor's Google account.
  var google: GooglePage {
    var session: String?
    if case .known(.session(let id, _)) = visit.visitor { session = id }
    let (services, user) = (visit.hub.services, visit.visitor.user)
    return GooglePage(desk: visit.hub.google, call: call, user: user, session: session) { body in
      try await services.run(user, on: \.reading, body)
    }
  }
}

/// Synchronises the Google accounts of users as long as the hub runs.
struct GoogleLoop: Service {
  let desk: GoogleDesk

  func run() async throws {
    await withGracefulShutdownHandler {
      await desk.run()
    } onGracefulShutdown: {
      desk.end()
    }
  }
}
