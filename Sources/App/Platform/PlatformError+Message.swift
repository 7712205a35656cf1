import Glibc

extension PlatformError {
  var failure: Failure {
    switch self {
    case .tooLarge(let path, let limit): Failure(.invalidInput, "\(path): larger than \(limit) bytes; not read")
    case .call(let path, let what, let problem):
      Failure(
        problem == ENOENT || problem == EISDIR ? .invalidInput : .disk,
        "\(path): \(what): \(String(cString: strerror(problem)))")
    case .unwritable(let problem):
      Failure(.disk, "\(problem.path): cannot be written: it \(problem.reason)", .readOnly)
    case .outputCut(let problem):
      Failure(.disk, "standard output: \(String(cString: strerror(problem))); output is incomplete")
    case .noTerminal(let question): Failure(.usage, "\(question) Cannot ask without a terminal; use --yes")
    case .closedInput: Failure(.usage, "-: standard input is closed; there is nothing to read")
    }
  }
}
