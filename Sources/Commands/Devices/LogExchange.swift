/// Sizes of transfers of log lines.
enum LogExchange {
  /// About how many bytes of lines one request carries.
  static let part = 1 << 20
}
