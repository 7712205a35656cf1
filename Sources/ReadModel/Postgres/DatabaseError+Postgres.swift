extension DatabaseError {
  /// What an SQLSTATE means (PostgreSQL's manual, appendix A).
  init(state: String, _ words: String) {
    let message = "\(words) (SQLSTATE \(state))"
    self =
      switch state {
      // Serialization failure, deadlock, lock not available, statement timeout.
      case "40001", "40P01", "55P03", "57014": .busy
      // Disk full, read-only transaction, as on a standby server.
      case "53100", "25006": .notWritable(code: 0, message)
      // Data or an index is corrupted.
      case "XX001", "XX002": .damaged(code: 0, message)
      default: .failed(code: 0, message)
      }
  }
}
