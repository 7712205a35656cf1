import Core
import Platform
import ReadModel
import SQLDrivers

extension StandardError {
  /// Runs a task whose failure is reported but does not end the command.
  package static func reportFailure(_ body: () throws -> Void) {
    do { try body() } catch { report(message(of: error)) }
  }

  /// An error's message.
  package static func message(of error: any Error) -> String {
    switch error {
    case let failure as Failure: failure.message
    case let error as AppError: UserMessages.text(of: error)
    case let error as DatabaseError: UserMessages.databaseFailure(error).message
    default: "\(error)"
    }
  }
}
