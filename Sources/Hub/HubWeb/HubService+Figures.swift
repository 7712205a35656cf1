import App
import Core
import HubCore
import HubPage
import PollEngine

extension HubService {
  /// What an administrator sees of a user's log.
  package func figures() throws -> UserView.Figures {
    let report = try StatusReport(session, runs: 1)
    return UserView.Figures(
      subscriptions: report.rows.count, videos: report.videoCount, failing: report.failing.count,
      lastPoll: report.state.runs.list.last?.id.timestamp,
      damage: try damage().map { "\(HubTrouble.text($0.damage)); the operator of the hub can repair it: \($0.remedy)" }
    )
  }
}
