import Foundation
import Testing

@testable import HTTPClient

private let page = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret"

@Suite(.enabled(if: TLSServer.isAvailable))
struct TrustTests {
  /// The outcome of one GET with these certificate authorities.
  private func result(_ server: TLSServer, _ certificates: CertificateStore) throws -> Result<HTTPResponse, HTTPFailure>
  {
    try withExtendedLifetime(server) { try HTTPSession(.patient, certificates).outcome(of: get(server.url)).result }
  }

  @Test("A certificate signed by the user's own authority is trusted")
  func ownAuthority() throws {
    let server = try TLSServer(response: page)
    let settings = HTTPSettings.patient.with(\.caFile, server.path("server.pem"))
    #expect(try response(toGet: server.url, settings).body == Array("secret".utf8))
    withExtendedLifetime(server) {}
  }

  @Test("A certificate from an unknown authority is not trusted, by the folder or the bundle")
  func unknownAuthority() throws {
    let server = try TLSServer(response: page)
    let certificates = try CertificateStore(besides: nil)
    guard case .failure(.untrusted(let verification)) = try result(server, certificates) else {
      Issue.record("an untrusted certificate was accepted")
      return
    }
    #expect(verification != 0)
    #expect(certificates.isWhole)
  }

  @Test("SSL_CERT_FILE and SSL_CERT_DIR replace libcurl's default locations of authorities")
  func namedLocations() throws {
    let server = try TLSServer(response: page)
    let (file, folder) = CertificateStore.locations { $0 == "SSL_CERT_FILE" ? server.path("server.pem") : "" }
    #expect(folder == nil)
    #expect(try result(server, CertificateStore(ownFile: nil, bundle: file, folder: folder)).status == 200)
    #expect(CertificateStore.locations { $0 == "SSL_CERT_DIR" ? "/certificates" : nil } == (nil, "/certificates"))
    #expect(CertificateStore.locations { _ in nil } == CurlEasy.builtInAuthorities)
  }

  @Test("A certificate for another name is not trusted")
  func otherName() throws {
    let server = try TLSServer(response: page)
    var settings = HTTPSettings.patient.with(\.caFile, server.path("server.pem"))
    settings.ipVersion = .v4
    let url = server.url.replacing("127.0.0.1", with: "localhost")
    #expect(try failure(ofGet: url, settings) == .untrusted(verification: 1))
    withExtendedLifetime(server) {}
  }

  @Test("A folder that contains the certificate suffices without the bundle")
  func folderAlone() throws {
    let server = try TLSServer(response: page)
    let folder = try server.makeHashedFolder(of: "server.pem")
    let certificates = try CertificateStore(ownFile: nil, bundle: server.path("none"), folder: folder)
    #expect(try result(server, certificates).status == 200)
    #expect(!certificates.isWhole)
  }

  @Test("The bundle is read if the folder does not suffice, and the request is retried once")
  func bundleAfterFolder() throws {
    let server = try TLSServer(response: page)
    let certificates = try CertificateStore(
      ownFile: nil, bundle: server.path("server.pem"), folder: server.path("empty"))
    #expect(try result(server, certificates).status == 200)
    #expect(certificates.isWhole)
  }

  @Test("The user's own file is trusted in addition to the bundle, not instead of it", arguments: [true, false])
  func ownBesidesBundle(isServersOwn: Bool) throws {
    let server = try TLSServer(response: page)
    try server.makeCertificate(named: "other")
    let (own, bundle) = isServersOwn ? ("server.pem", "other.pem") : ("other.pem", "server.pem")
    let certificates = try CertificateStore(ownFile: server.path(own), bundle: server.path(bundle), folder: nil)
    #expect(certificates.isWhole)
    #expect(try result(server, certificates).status == 200)
  }

  @Test("A missing file of the user's own is reported at once, one without a certificate at the first request")
  func unreadableAuthority() throws {
    let server = try TLSServer(response: page)
    #expect(throws: HTTPFailure.certificates) { try HTTPSession(.patient.with(\.caFile, server.path("none"))) }
    #expect(try failure(ofGet: server.url, .patient.with(\.caFile, server.path("page"))) == .certificates)
    withExtendedLifetime(server) {}
  }

  @Test("A redirect from HTTPS to HTTP is rejected")
  func redirectToPlain() throws {
    let plain = try ScriptedServer { _ in [.respond("200 OK")] }
    let redirect = "HTTP/1.1 302 Found\r\nLocation: \(plain.url("/"))\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    let server = try TLSServer(response: redirect)
    var settings = HTTPSettings.patient.with(\.caFile, server.path("server.pem"))
    settings.allowsOtherPorts = true
    #expect(try failure(ofGet: server.url, settings) == .forbiddenScheme)
    #expect(plain.requests.isEmpty)
    withExtendedLifetime(server) {}
  }

  @Test("A redirect from HTTP to HTTPS is followed")
  func redirectToSecure() throws {
    let server = try TLSServer(response: page)
    let target = server.url
    let plain = try ScriptedServer { _ in [.redirect(to: target)] }
    var settings = HTTPSettings.patient.with(\.caFile, server.path("server.pem"))
    settings.allowsOtherPorts = true
    #expect(try response(toGet: plain.url("/"), settings).effectiveURL == server.url)
    withExtendedLifetime(server) {}
  }
}
