import Arguments
import EventLog
import Glibc
import HubCore
import HubLimits
import Library
import ReadModel
import SQLDrivers
import ServiceLifecycle

/// Looks for damage in the logs, at the start and then again and again.
///
/// In files it looks every few seconds: unless a file changed, that is a look at its name and size. In a database it looks
/// every hour for owners whose logs no process looked at in the last day.
final class InspectionLoop: Service {
  private let inspection: LogInspection
  private let database: HubDatabase?
  private static let pause = Duration.seconds(5)
  private static let longPause = Duration.seconds(3600)
  /// After a failure.
  private static let retry = Duration.seconds(60)

  init(_ inspection: LogInspection, _ database: HubDatabase?) {
    (self.inspection, self.database) = (inspection, database)
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        let pause = await self.database == nil ? self.look() : self.lookIntoDatabase()
        // Cancelled, it ends.
        try? await Task.sleep(for: pause)
      }
    }
  }

  private func look() async -> Duration {
    do {
      let new = try await HubThreads.inspecting.run { [inspection] in try inspection.look() }
      for finding in new { InspectionLoop.report(finding.damage, of: finding.user) }
    } catch is CancellationError {  // The hub ends.
    } catch { Program.report("\(error)") }
    return InspectionLoop.pause
  }

  /// Reads what no process read in the last day, on a connection that is closed afterwards; half of the time it rests.
  private func lookIntoDatabase() async -> Duration {
    let inspections = ConnectionPool { [database] in
      guard let database else { throw DatabaseError.interrupted }
      return PostgresInspection(try database.connect(for: .requests), clock: { UInt64(time(nil)) * 1000 })
    }
    do {
      while !Task.isCancelled {
        let began = ContinuousClock.now
        let step = try await inspections.run(on: HubThreads.inspecting) { try $0.step() }
        switch step {
        case .done: return InspectionLoop.longPause
        case .read: break
        case .found(let user, let damage): InspectionLoop.report(damage, of: user)
        }
        try? await Task.sleep(for: ContinuousClock.now - began)
      }
    } catch DatabaseError.connectionLost, DatabaseError.notWritable, DatabaseError.busy {
      // The health check says so.
    } catch { Program.report("the logs were not checked for damage: \(Program.message(of: error))") }
    return InspectionLoop.retry
  }

  private static func report(_ damage: LogDamage, of user: String?) {
    let whose = user.map { "the log of \($0)" } ?? "the log"
    Program.report("\(whose): \(HubTrouble.text(damage)); mend it: \(HubTrouble.remedy(user))")
  }
}
