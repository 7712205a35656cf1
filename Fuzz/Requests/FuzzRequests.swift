import Core
import FeedParser
import HubHTTP
import HubStore
import NIOCore

@testable import EventLog

/// libFuzzer entry point. The first byte of an input selects a parser, the rest is its text or body.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  guard let selector = input.first else { return 0 }
  let body = Array(input.dropFirst())
  switch selector {
  case UInt8(ascii: "t"): expectPlainTarget(String(decoding: body, as: UTF8.self))
  case UInt8(ascii: "f"): expectSameFields(String(decoding: body, as: UTF8.self))
  case UInt8(ascii: "m"): expectSamePieces(body)
  case UInt8(ascii: "a"): expectCredentials(String(decoding: body, as: UTF8.self))
  case UInt8(ascii: "p"): expectSignedPush(body)
  case UInt8(ascii: "l"): expectCheckedLines(body)
  default: return -1
  }
  return 0
}

/// Checks that a path leads nowhere else, and that what is logged of a target has no secrets.
private func expectPlainTarget(_ text: String) {
  let cleaned = RequestTarget.withoutSecrets(text)
  guard let target = RequestTarget(text) else { return }
  for part in target.path {
    expect(!["", ".", ".."].contains(part), "a path with the part “\(part)”")
    expect(part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }, "a path with a control character")
  }
  guard let logged = RequestTarget(cleaned) else { fatalError("the logged form of a target is not a target") }
  expect(!logged.query.contains { ["token", "Passwd"].contains($0.name) }, "a secret in the query is logged")
  for (before, part) in zip(logged.path, logged.path.dropFirst()) where ["k", "push"].contains(before) {
    expect(part == "-" || ["k", "push"].contains(part), "a secret in the path is logged")
  }
  guard let open = RequestTarget(RequestTarget.withoutToken(text)) else {
    fatalError("a target without its token is not a target")
  }
  let rest = target.query.filter { $0.name != "token" }
  expect(open.path == target.path && same(open.query, rest), "more than the token was removed")
}

/// Checks that the fields of a form survive being written and read again.
private func expectSameFields(_ text: String) {
  guard let fields = RequestTarget.fields(of: text, takesLines: true) else { return }
  func encoded(_ text: String) -> String {
    text.utf8.map { "%" + String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
  }
  let again = fields.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
  guard let read = RequestTarget.fields(of: again, takesLines: true) else {
    fatalError("an encoded form cannot be decoded")
  }
  expect(same(read, fields), "fields do not survive a round trip")
}

private func same(_ one: [(name: String, value: String)], _ other: [(name: String, value: String)]) -> Bool {
  one.elementsEqual(other) { $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.utf8.elementsEqual($1.value.utf8) }
}

/// Checks that a multipart body gives the same parts in pieces of any size. Its first line is the parameter of its type.
private func expectSamePieces(_ input: [UInt8]) {
  let line = input.prefix { $0 != 10 }
  let type = "multipart/form-data; boundary=" + String(decoding: line, as: UTF8.self)
  guard let boundary = MultipartSplitter.boundary(of: type) else { return }
  let body = Array(input.dropFirst(line.count + 1))
  let whole = parts(of: body, boundary, length: max(1, body.count))
  expect(parts(of: body, boundary, length: 1) == whole, "byte by byte a body has other parts")
  expect(parts(of: body, boundary, length: 7) == whole, "in pieces a body has other parts")
  expect(whole.map { $0.reduce(0) { $0 + $1.content.count } <= body.count } ?? true, "more content than the body has")
}

private struct Part: Equatable {
  var head: FormPart
  var content: [UInt8] = []
}

/// The parts of a body that comes in pieces of a length; nil if it is malformed or incomplete.
private func parts(of body: [UInt8], _ boundary: String, length: Int) -> [Part]? {
  var splitter = MultipartSplitter(boundary: boundary)
  var (parts, rest): ([Part], ArraySlice<UInt8>) = ([], body[...])
  while !rest.isEmpty {
    guard let events = try? splitter.take(ByteBuffer(bytes: rest.prefix(length))) else { return nil }
    for event in events {
      switch event {
      case .part(let head): parts.append(Part(head: head))
      case .content(let bytes): parts[parts.count - 1].content += bytes.readableBytesView
      }
    }
    rest = rest.dropFirst(length)
  }
  return splitter.isComplete ? parts : nil
}

/// Checks that credentials are parts of their headers.
private func expectCredentials(_ header: String) {
  for token in [Credentials.bearer(header), Credentials.googleLogin(header)].compactMap(\.self) {
    expect(header.utf8.count > token.utf8.count && !token.contains(" "), "a token that is no word of its header")
  }
  if let (name, password) = Credentials.basic(header) {
    expect(!name.contains(":"), "a name with a colon")
    expect(name.utf8.count + password.utf8.count < header.utf8.count, "more than the header has")
  }
  if let value = Credentials.cookie("metube", in: [header]) {
    expect(!value.contains(";"), "a cookie with a semicolon")
  }
}

/// Checks that a push is right only with its signature, and that a hub is a URL. The first line is a header.
private func expectSignedPush(_ input: [UInt8]) {
  let line = input.prefix { $0 != 10 }
  let (header, body) = (String(decoding: line, as: UTF8.self), Array(input.dropFirst(line.count + 1)))
  expect(!PushSignature.isRight(header, of: body, secret: "fuzz-secret-of-32-random-letters"), "a guessed signature")
  guard let digest = PushSignature.digest("sha256", of: body, secret: "s") else { fatalError("no digest") }
  let hex = digest.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
  expect(PushSignature.isRight("sha256=" + hex, of: body, secret: "s"), "the right signature is refused")
  guard let source = PushLinks.source(headers: [header], body: body, url: "https://feeds.example/a") else { return }
  for url in [source.hub, source.topic] {
    expect(url.hasPrefix("https://") || url.hasPrefix("http://"), "not a URL of HTTP")
    expect(url.utf8.count <= 2048 && url.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "a URL with other characters")
  }
  if source.isSafe(feedsURL: "https://www.youtube.com") {
    expect(source.hub.hasPrefix("https://"), "a hub without TLS")
  }
}

/// Checks the lines of an exchange, to which their checksums are added, which no mutation would get right.
private func expectCheckedLines(_ input: [UInt8]) {
  guard let device = DeviceID("k3v9x2ap") else { fatalError("invalid device ID") }
  var bytes: [UInt8] = []
  for line in input.split(separator: 10) {
    let start = bytes.count
    bytes += line
    LineChecksum.seal(&bytes, from: start)
  }
  func isTaken(_ bytes: [UInt8], isBeginning: Bool, mayBeBroken: Bool) -> Bool {
    do throws(LineRefusal) {
      try ForeignLines.check(
        bytes, of: device, isBeginning: isBeginning, mayBeBroken: mayBeBroken, now: 1_761_392_475_000)
      return true
    } catch { return false }
  }
  if isTaken(bytes, isBeginning: true, mayBeBroken: false) {
    expect(isTaken(bytes, isBeginning: true, mayBeBroken: true), "intact lines are refused where broken ones are not")
    expect(isTaken(bytes, isBeginning: false, mayBeBroken: false), "the beginning of a log is refused later")
  }
  _ = isTaken(input + [10], isBeginning: false, mayBeBroken: true)
}

/// Aborts if `holds` is false, so that libFuzzer records a crash.
private func expect(_ holds: Bool, _ broken: @autoclosure () -> String) {
  if !holds { fatalError(broken()) }
}
