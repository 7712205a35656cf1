import Core
import Platform

/// Where the polling state of feeds is kept while they are polled.
package protocol PollStore {
  /// The current time, by the clock that the times in the state are of.
  func now() -> Timestamp
  /// Whether runs are logged together, rather than one by one.
  var sumsUpRuns: Bool { get }
  /// Notes a request that is about to be sent, so that it is known if the process is killed.
  func noteRequest(for id: SubscriptionID, at time: Timestamp)
  /// Keeps the state, in place of the one kept before.
  func write(_ memory: PollState) throws(Failure)
}
