import Foundation
import Testing

@testable import HTTPClient

/// The address in a text, as parsed by the system.
private func address(_ text: String) throws -> NetworkAddress {
  var bytes = [UInt8](repeating: 0, count: 16)
  if inet_pton(AF_INET, text, &bytes) == 1 { return NetworkAddress(bytes: Array(bytes.prefix(4))) }
  try #require(inet_pton(AF_INET6, text, &bytes) == 1)
  return NetworkAddress(bytes: bytes)
}

@Test(
  "Addresses on the internet are public",
  arguments: [
    "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
    "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
    "223.255.255.255", "2a00:1450:4001:82b::200e", "2606:4700::1", "::ffff:8.8.8.8", "64:ff9b::808:808",
    "2002:808:808::1",
  ])
func publicAddresses(text: String) throws { #expect(try address(text).isPublic) }

@Test(
  "Addresses of this machine, this network or no network are not public",
  arguments: [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.255",
    "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.168.0.1", "198.18.0.1", "198.19.255.255",
    "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.51.100.1", "203.0.113.1", "::", "::1", "::127.0.0.1",
    "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::1", "2001::1", "2001:db8::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
    "100::1", "3fff::1",
  ])
func privateAddresses(text: String) throws { #expect(try !address(text).isPublic) }
