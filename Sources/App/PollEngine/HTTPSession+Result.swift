import HTTPClient
import Messages
import Platform

extension HTTPSession {
  /// The result of one request; `aborted` after a signal, or one second after a deadline on the monotonic clock,
  /// milliseconds. Throws a `Failure` if libcurl fails as a whole.
  func result(
    of request: HTTPRequest, _ interrupt: Interrupt, until deadline: Int?
  ) throws -> Result<HTTPResponse, HTTPFailure> {
    var waiting: HTTPRequest? = request
    var result: Result<HTTPResponse, HTTPFailure> = .failure(.aborted)
    do {
      try run(
        wakeDescriptor: interrupt.descriptor,
        isAborted: { interrupt.isSignalled() || deadline.map { Clock.steady() >= $0 + 1000 } ?? false },
        next: { waiting.take().map { .request($0) } ?? .done }, finished: { result = $0.result })
    } catch { throw UserMessages.failure(error) }
    return result
  }
}
