/// Why this process, its files or its streams cannot do what is wanted.
enum PlatformError: ReportableError {
  /// A file is larger than this many bytes.
  case tooLarge(path: String, limit: Int)
  /// What a system call on a file could not do, and its `errno`.
  case call(path: String, what: String, errno: Int32)
  case unwritable(Unwritable)
  /// Not all of standard output was written.
  case outputCut(errno: Int32)
  /// A question, without a terminal to ask it.
  case noTerminal(question: String)
  case closedInput
}
