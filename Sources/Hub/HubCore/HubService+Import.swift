import App
import Core
import Platform

extension HubService {
  /// Imports the file that a reader sends, whose own options mean nothing here.
  package func importSubscriptions(_ call: HubCall) throws {
    var file = call
    file.query = []
    _ = try importReport(file)
  }

  /// Imports the file of a request.
  package func importReport(_ call: HubCall) throws -> ImportReport {
    guard let file = call.file else { throw HubProblem(400, "send the file as the body") }
    let request = ImportRequest(try HubArguments(call.query, of: HubRoute.importing))
    var reasons: [String] = []
    let (reports, worst) = try request.reports(
      of: [file], in: session, account: { _ in throw HubProblem(422, "not a file that can be imported") }
    ) {
      // Paths on the disk are reported to the operator, not to clients.
      if $0.status == .disk { StandardError.report($0.message) } else { reasons.append($0.message) }
    }
    if worst == .disk || reports.contains(where: \.isCutShort) {
      throw HubProblem(
        503, "not all of it was imported; see the hub's log. Importing it again is safe",
        retryAfter: HubProblem.shortly)
    }
    guard let report = reports.first else {
      throw HubProblem(422, reasons.first ?? "not a file that can be imported")
    }
    return report
  }
}
