import Core
import Library
import Messages
import Platform

/// View counts: in JSON and in the APIs of other programs alone, and never worth a failure.
extension Session {
  /// Rows with their view counts. A video that no feed of the user has shown has none: in a shared catalogue it would tell
  /// what others follow.
  package func withViews(_ rows: [VideoRow]) -> [VideoRow] {
    let seen = rows.filter(\.isSeen).map(\.video)
    // Counts that cannot be read are unknown.
    guard let counts = try? workspace.viewCounts(of: seen), !counts.isEmpty else { return rows }
    return rows.map { row in
      var row = row
      if row.isSeen { row.views = counts[row.video] }
      return row
    }
  }

  /// Stores view counts; a failure is reported.
  package func keep(views: [VideoID: Int]) {
    StandardError.reportFailure { try Session.reporting { try workspace.keep(views: views) } }
  }
}
