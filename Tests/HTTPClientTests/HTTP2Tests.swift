import Foundation
import TestSupport
import Testing

@testable import HTTPClient

@Test("Over TLS all transfers share one HTTP/2 connection", .enabled(if: TLSServer.isHTTP2Available))
func oneConnection() throws {
  let server = try TLSServer.http2()
  var settings = HTTPSettings.patient.with(\.caFile, server.path("server.pem"))
  settings.jobs = 20
  let fetcher = try HTTPSession(settings)
  // It takes a moment to start.
  try wait { try fetcher.outcome(of: get(server.url)).result.status == 200 }
  let outcomes = try fetcher.outcomes(of: (0..<60).map { get(server.url, tag: $0) })
  #expect(outcomes.count == 60 && outcomes.allSatisfy { $0.result.status == 200 })
  wait { server.accessLog.count >= 61 }
  let log = server.accessLog
  #expect(log.count >= 61)
  #expect(Set(log).count == 1 && log.allSatisfy { $0.hasSuffix(" HTTP/2.0") })
}

@Test("A cold start over HTTP/2 also opens only one connection", .enabled(if: TLSServer.isHTTP2Available))
func coldStart() throws {
  let server = try TLSServer.http2()
  var settings = HTTPSettings.patient.with(\.caFile, server.path("server.pem"))
  settings.jobs = 20
  try wait { try outcome(ofGet: server.url, settings).result.status == 200 }
  // The server writes its log after it has answered.
  wait { !server.accessLog.isEmpty }
  let (before, lines) = (Set(server.accessLog).count, server.accessLog.count)
  let outcomes = try HTTPSession(settings).outcomes(of: (0..<20).map { get(server.url, tag: $0) })
  #expect(outcomes.allSatisfy { $0.result.status == 200 })
  wait { server.accessLog.count >= lines + 20 }
  #expect(server.accessLog.count >= lines + 20 && Set(server.accessLog).count == before + 1)
}
