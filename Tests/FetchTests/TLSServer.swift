import Foundation

/// A web server under TLS that has one answer to everything, with a certificate of its own making (openssl-s_server(1)).
final class TLSServer {
  /// Whether this machine can have one.
  static let isAvailable = FileManager.default.isExecutableFile(atPath: openssl)
  private static let openssl = "/usr/bin/openssl"

  let folder: URL
  private(set) var port = 0
  private let process = Process()

  /// A server for `127.0.0.1` whose every page is this answer, byte for byte.
  init(answer: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "metube-rss-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(answer.utf8).write(to: folder.appending(path: "page"))
    try makeCertificate(named: "server")
    try FileManager.default.createDirectory(at: folder.appending(path: "empty"), withIntermediateDirectories: true)
    let output = Pipe()
    process.executableURL = URL(filePath: TLSServer.openssl)
    process.currentDirectoryURL = folder
    process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key", "-HTTP"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // It says "ACCEPT 127.0.0.1:40123".
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

  deinit {
    // The mask of the thread that started it may keep a milder signal from it.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  var url: String { "https://127.0.0.1:\(port)/page" }

  /// The path of a file in the server's folder.
  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Makes `name.pem` and `name.key`, a certificate for `127.0.0.1` that is its own authority.
  func makeCertificate(named name: String) throws {
    try run([
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
    try run(["rehash", hashed.path])
    return hashed.path
  }

  private func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: TLSServer.openssl)
    process.currentDirectoryURL = folder
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableRuntimeMismatch) }
  }
}
