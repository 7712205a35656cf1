import Arguments
import Core
import Glibc
import HTTPTypes
import HubHTTP
import Hummingbird

/// The log of requests on standard error, without tokens and passwords:
/// `2026-11-22T10:51:00Z 127.0.0.1 GET /feeds/atom?tag=science 200 5120 3.2`, where the last is milliseconds.
struct RequestLog: Sendable {
  let isOn: Bool

  func add(_ request: Request, from client: String, _ response: Response, _ duration: Duration) {
    guard isOn else { return }
    let path = RequestTarget.withoutSecrets(request.head.path ?? "").utf8.prefix(RequestLog.longestPath)
    let bytes = response.body.contentLength.map(String.init) ?? "-"
    let tenths = Int(duration / .microseconds(100))
    Program.prompt(
      """
      \(Timestamp(seconds: Int64(time(nil))).rfc3339) \(client) \(request.method) \(RequestLog.plain(path)) \
      \(response.status.code) \(bytes) \(tenths / 10).\(tenths % 10)

      """)
  }

  private static let longestPath = 500

  /// The text in visible ASCII characters, so that no client writes lines or colours into the log.
  private static func plain(_ text: some Sequence<UInt8>) -> String {
    var plain = ""
    for byte in text {
      if (0x21...0x7e).contains(byte) {
        plain.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        plain += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return plain
  }
}
