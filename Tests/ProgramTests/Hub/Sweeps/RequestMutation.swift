import Seeded

/// Damages requests: in their structure, and byte by byte.
struct RequestMutation {
  var random: SeededGenerator

  /// A damaged copy of a request.
  mutating func damaged(_ sample: RouteSample, _ headers: [String]) -> [UInt8] {
    var (sample, headers) = (sample, headers)
    for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&sample, &headers) }
    var bytes = sample.bytes(headers)
    if Int.random(in: 0..<5, using: &random) == 0 {
      for _ in 0..<Int.random(in: 1...8, using: &random) { flip(&bytes) }
    }
    return bytes
  }

  private mutating func damage(_ sample: inout RouteSample, _ headers: inout [String]) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: sample.method = choose(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "get", ""])
    case 1: sample.target = replaceField(in: sample.target)
    case 2: sample.target += (sample.target.contains("?") ? "&" : "?") + field()
    case 3: replacePart(of: &sample.target)
    case 4:
      sample.type = choose([
        "text/plain", "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=\"", "",
      ])
    case 5: sample.body = Array(sample.body.prefix(Int.random(in: 0...sample.body.count, using: &random)))
    case 6: replaceValue(in: &sample.body)
    case 7: sample.body = Array(choose(RequestMutation.bodies).utf8)
    case 8: for _ in 0..<Int.random(in: 1...8, using: &random) { flip(&sample.body) }
    default: headers.append(choose(RequestMutation.headers))
    }
  }

  private mutating func choose<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func flip(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
  }

  private mutating func field() -> String {
    choose(["limit", "after", "since", "n", "c", "offset", "order", "page", "mode", "x", "s", "i"]) + "="
      + choose(RequestMutation.values)
  }

  /// The target with another value in one of its fields.
  private mutating func replaceField(in target: String) -> String {
    guard let start = target.firstIndex(of: "?") else { return target + "?" + field() }
    var fields = target[start...].dropFirst().split(separator: "&").map(String.init)
    guard !fields.isEmpty else { return target }
    let index = Int.random(in: 0..<fields.count, using: &random)
    fields[index] = fields[index].prefix { $0 != "=" } + "=" + choose(RequestMutation.values)
    if Bool.random(using: &random) { fields.append(fields[index]) }
    return target[...start] + fields.joined(separator: "&")
  }

  private mutating func replacePart(of target: inout String) {
    let query = target.drop { $0 != "?" }
    var parts = target.dropLast(query.count).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    parts[Int.random(in: 0..<parts.count, using: &random)] = choose(RequestMutation.values)
    target = (parts.first == "" ? "" : "/") + parts.joined(separator: "/") + query
  }

  /// Replaces one JSON value by another.
  private mutating func replaceValue(in body: inout [UInt8]) {
    let starts = body.indices.filter { body[$0] == UInt8(ascii: ":") || body[$0] == UInt8(ascii: "[") }
    guard !starts.isEmpty else { return }
    let start = choose(starts) + 1
    let end =
      body[start...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") }
      ?? body.count
    body.replaceSubrange(start..<end, with: choose(RequestMutation.json).utf8)
  }

  private static let values = [
    "", "0", "-1", "1", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e999", "NaN", "true",
    "null",
    "%00", "%FF", "%F0%9F%8E%AC", "%", "%2e%2e", "..", "a%2Fb", "*", "'", "%22", "%3Cscript%3E", "--all", "-n", "1.5",
    "+1",
    "UCAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAA", "2026-11-23T00:00:00Z", "99999-01-01", "feed/0", "user/-/label/", "a,b",
    "1;2",
    String(repeating: "a", count: 5000), String(repeating: "%F0%9F%98%80", count: 300),
    String(repeating: "(", count: 200),
  ]
  private static let json = [
    "null", "true", "[]", "{}", "\"\"", "0", "-1", "1e400", "-0", "9223372036854775808", "1.5", "\"\\u0000\"",
    "\"\\ud800\"",
    "[[[[[[[[[[]]]]]]]]]]", "{\"a\":{\"a\":{}}}", "\"" + String(repeating: "x", count: 3000) + "\"", "[1,\"a\",null]",
  ]
  private static let bodies = [
    "", "{", "[]", "null", "{}", "{\"marks\":[]}", "{\"marks\":[{}]}", "{\"entry_ids\":[],\"status\":\"read\"}",
    "{\"entry_ids\":[1e300],\"status\":\"x\"}", String(repeating: "[", count: 20_000), "{\"a\":1,\"a\":2}",
    "a=b&a=c&=&&",
    "--xyz\r\n\r\n--xyz--", String(repeating: "--xyz\r", count: 500), "\u{feff}{}", "<opml/>", "video;time\n;;;\n",
  ]
  private static let headers = [
    "Content-Length: 5", "Transfer-Encoding: chunked", "Content-Encoding: gzip", "Expect: 100-continue",
    "If-None-Match: *",
    "If-None-Match: W/\"", "Accept-Encoding: gzip;q=0", "Range: bytes=0-", "Authorization: Basic Og==",
    "Authorization: Bearer",
    "Authorization: GoogleLogin auth=", "X-Auth-Token: ", "Cookie: metube=; metube=", "Origin: null",
    "Sec-Fetch-Site: cross-site",
    "Host: evil.example", "X-Forwarded-For: 1, 2, ,", "Upgrade: h2c", "Connection: keep-alive, close, x",
    "Accept: text/html",
    "X: " + String(repeating: "y", count: 7000),
  ]
}
