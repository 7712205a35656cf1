import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Answers every request with the same body: what the server library alone can do, for comparison with the hub.
/// `bench-constant PORT BYTES`
@main
struct BenchConstant: HTTPResponder {
  struct Context: InitializableFromSource {
    init(source: ApplicationRequestContextSource) {}
  }

  let body: ByteBuffer

  func respond(to request: Request, context: Context) async throws -> Response {
    Response(status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
  }

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    guard arguments.count == 2 else { return print("usage: bench-constant PORT BYTES") }
    var logger = Logger(label: "bench-constant")
    logger.logLevel = .critical
    let application = Application(
      responder: BenchConstant(body: ByteBuffer(repeating: UInt8(ascii: " "), count: arguments[1])),
      server: .http1(configuration: HTTP1Channel.Configuration(idleTimeout: .seconds(30))),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: arguments[0])), logger: logger)
    try await application.runService()
  }
}
