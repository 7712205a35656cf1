import Glibc
import Synchronization

/// A server on loopback that has PostgreSQL's clients send their password, keeps it, and ends the connection.
final class PasswordServer: Sendable {
  private let listener: LoopbackListener
  private let last = Mutex<String?>(nil)

  init() throws {
    listener = try LoopbackListener()
    listener.start { client in
      self.serve(client)
      close(client)
    }
  }

  /// The address without a password, as `key=value` pairs.
  var address: String { "host=127.0.0.1 port=\(listener.port) user=ann dbname=x sslmode=disable gssencmode=disable" }

  /// The last password that was sent; forgets it.
  func takePassword() -> String? {
    last.withLock { last in
      defer { last = nil }
      return last
    }
  }

  func stop() { listener.stop() }

  /// PostgreSQL's manual, "Message Formats": StartupMessage, AuthenticationCleartextPassword, PasswordMessage.
  private func serve(_ client: Int32) {
    guard message(client) != nil else { return }
    let request: [UInt8] = [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 3]
    guard send(client, request, request.count, 0) == request.count, bytes(client, 1) == [UInt8(ascii: "p")],
      let password = message(client)
    else { return }
    last.withLock { $0 = String(decoding: password.dropLast(), as: UTF8.self) }
  }

  /// A message behind its length, which counts itself; nil if the connection ends.
  private func message(_ client: Int32) -> [UInt8]? {
    guard let length = bytes(client, 4)?.reduce(0, { $0 << 8 | Int($1) }), (5..<10_000).contains(length) else {
      return nil
    }
    return bytes(client, length - 4)
  }

  private func bytes(_ client: Int32, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return recv(client, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
  }
}
