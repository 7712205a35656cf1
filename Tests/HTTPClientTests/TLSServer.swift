import Foundation

/// A loopback web server with TLS in its own process, with a self-signed certificate.
final class TLSServer {
  let folder: URL
  private(set) var port = 0
  private let process = Process()

  var url: String { "https://127.0.0.1:\(port)/page" }

  /// The path of a file in the server's folder.
  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// A folder with the certificate `server.pem` for `127.0.0.1`, and a server not started yet.
  private init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "metube-rss-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try makeCertificate(named: "server")
  }

  deinit {
    // The signal mask inherited from the starting thread may block a milder signal.
    if process.processIdentifier > 0 { kill(process.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: folder)
  }

  private static func command(_ path: String, _ arguments: [String], in folder: URL, _ process: Process = Process())
    -> Process
  {
    process.executableURL = URL(filePath: path)
    process.currentDirectoryURL = folder
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }
}

/// Server by openssl-s_server(1): one connection at a time, HTTP/1.
extension TLSServer {
  static let isAvailable = FileManager.default.isExecutableFile(atPath: openssl)
  private static let openssl = "/usr/bin/openssl"

  /// A server whose page is this response, byte for byte.
  convenience init(response: String) throws {
    try self.init()
    try Data(response.utf8).write(to: folder.appending(path: "page"))
    try FileManager.default.createDirectory(at: folder.appending(path: "empty"), withIntermediateDirectories: true)
    let output = Pipe()
    let arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key", "-HTTP"]
    TLSServer.command(TLSServer.openssl, arguments, in: folder, process).standardOutput = output
    try process.run()
    // It prints "ACCEPT 127.0.0.1:40123".
    var text = ""
    while port == 0 {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw CocoaError(.fileReadUnknown) }
      text += String(decoding: data, as: UTF8.self)
      if let line = text.split(separator: "\n").first(where: { $0.hasPrefix("ACCEPT ") }), text.hasSuffix("\n") {
        port = Int(line.split(separator: ":").last ?? "") ?? 0
      }
    }
  }

  /// Creates `name.pem` and `name.key`, a self-signed certificate for `127.0.0.1`.
  func makeCertificate(named name: String) throws {
    try openssl([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "\(name).key",
      "-out",
      "\(name).pem", "-days", "2", "-subj", "/CN=metube-rss test \(name)", "-addext", "subjectAltName=IP:127.0.0.1",
    ])
  }

  /// A folder with this certificate under the hash of its name (openssl-rehash(1)).
  func makeHashedFolder(of name: String) throws -> String {
    let hashed = folder.appending(path: "hashed")
    try FileManager.default.createDirectory(at: hashed, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: folder.appending(path: name), to: hashed.appending(path: name))
    try openssl(["rehash", hashed.path])
    return hashed.path
  }

  private func openssl(_ arguments: [String]) throws {
    let process = TLSServer.command(TLSServer.openssl, arguments, in: folder)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableRuntimeMismatch) }
  }
}

/// Server by nginx: many connections at a time, HTTP/2.
extension TLSServer {
  static let isHTTP2Available = isAvailable && FileManager.default.isExecutableFile(atPath: nginx)
  private static let nginx = "/usr/sbin/nginx"

  /// An HTTP/2 server that logs the connection and the protocol of each request.
  static func http2() throws -> TLSServer {
    let server = try TLSServer()
    server.port = Int(unusedPort())
    let configuration = """
      daemon off; master_process off; pid nginx.pid; error_log error.log; events {}
      http {
        log_format connections '$connection $server_protocol'; access_log access.log connections;
        client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
        server {
          listen 127.0.0.1:\(server.port) ssl http2; ssl_certificate \(server.path("server.pem"));
          ssl_certificate_key \(server.path("server.key")); location / { return 200 "answer"; }
        }
      }
      """
    try Data(configuration.utf8).write(to: server.folder.appending(path: "nginx.conf"))
    let arguments = ["-p", server.folder.path, "-c", "nginx.conf", "-e", "error.log"]
    try command(nginx, arguments, in: server.folder, server.process).run()
    return server
  }

  /// The lines logged so far, one per request: `17 HTTP/2.0`.
  var accessLog: [String] {
    let text = (try? String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }
}
