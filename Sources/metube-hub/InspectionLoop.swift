import Commands
import ServiceLifecycle

/// Looks for damage in the logs, at the start and then every few seconds: unless a file changed, that is a look at its
/// name and size.
final class InspectionLoop: Service {
  private let inspection: LogInspection
  private static let pause = Duration.seconds(5)

  init(_ inspection: LogInspection) { self.inspection = inspection }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await self.look()
        // Cancelled, it ends.
        try? await Task.sleep(for: InspectionLoop.pause)
      }
    }
  }

  private func look() async {
    do {
      let new = try await HubThreads.inspecting.run { [inspection] in try inspection.look() }
      for finding in new {
        let whose = finding.user.map { "the log of \($0)" } ?? "the log"
        Program.report(
          "\(whose): \(HubTrouble.words(finding.damage)); mend it: \(HubTrouble.remedy(finding.user))")
      }
    } catch { Program.report("\(error)") }
  }
}
