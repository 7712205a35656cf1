import NIOCore
import Seeded
import Testing

@testable import HubHTTP

/// A part with its content.
private struct Part: Equatable {
  var name: String
  var file: String?
  var content: [UInt8] = []
}

/// The parts of a body in pieces of some lengths; nil if it is malformed or incomplete.
private func parts(of body: [UInt8], boundary: String, pieces: some Sequence<Int>) -> [Part]? {
  var splitter = MultipartSplitter(boundary: boundary)
  var (parts, rest): ([Part], ArraySlice<UInt8>) = ([], body[...])
  do throws(MultipartSplitter.Malformed) {
    for length in pieces where !rest.isEmpty {
      for event in try splitter.take(ByteBuffer(bytes: rest.prefix(length))) {
        switch event {
        case .part(let part): parts.append(Part(name: part.name, file: part.file))
        case .content(let bytes): parts[parts.count - 1].content += bytes.readableBytesView
        }
      }
      rest = rest.dropFirst(length)
    }
  } catch { return nil }
  return splitter.isComplete ? parts : nil
}

/// The same from the whole body, by definition.
private func slowParts(of body: [UInt8], boundary: String) -> [Part]? {
  let line = Array("--\(boundary)".utf8)
  guard body.starts(with: line) else { return nil }
  var (parts, rest): ([Part], ArraySlice<UInt8>) = ([], body.dropFirst(line.count))
  while !rest.starts(with: "--".utf8) {
    guard rest.starts(with: "\r\n".utf8), let head = rest.firstRange(of: Array("\r\n\r\n".utf8)),
      let part = FormPart(header: Array(rest[rest.startIndex..<head.lowerBound])),
      let end = rest[head.upperBound...].firstRange(of: Array("\r\n".utf8) + line)
    else { return nil }
    parts.append(Part(name: part.name, file: part.file, content: Array(rest[head.upperBound..<end.lowerBound])))
    rest = rest[end.upperBound...]
  }
  return parts
}

private func form(_ contents: [[UInt8]], boundary: String) -> [UInt8] {
  var body: [UInt8] = []
  for (number, content) in contents.enumerated() {
    let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"p\(number)\"; filename=\"a.csv\"\r\n\r\n"
    body += Array(head.utf8) + content + [13, 10]
  }
  return body + Array("--\(boundary)--\r\n".utf8)
}

@Suite("Multipart bodies")
struct MultipartSplitterTests {
  @Test("Byte by byte a form has the parts that it has at once")
  func bytes() throws {
    let contents: [[UInt8]] = [
      [], Array("a".utf8), Array("\r\n--b".utf8), Array("\r\r\n\r\n--bo\r\n--boun".utf8), Array("--bound".utf8), [13],
      [13, 10],
    ]
    let body = form(contents, boundary: "bound")
    let expected = contents.enumerated().map { Part(name: "p\($0)", file: "a.csv", content: $1) }
    #expect(slowParts(of: body, boundary: "bound") == expected)
    #expect(parts(of: body, boundary: "bound", pieces: repeatElement(1, count: body.count)) == expected)
    #expect(parts(of: body, boundary: "bound", pieces: [body.count]) == expected)
  }

  @Test("Random bodies in random pieces are what the whole body is", arguments: 1...40 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      // Short boundaries of few letters, so that contents are full of their beginnings.
      let boundary = String(
        (0..<Int.random(in: 1...4, using: &generator)).map { _ in "-x".randomElement(using: &generator)! })
      let fragments = ["\r", "\n", "\r\n", "-", "--", "x", "\r\n-", "\r\n--", "\r\n--\(boundary.dropLast())", "z"]
      func text(_ maximum: Int) -> [UInt8] {
        (0..<Int.random(in: 0...maximum, using: &generator)).flatMap { _ in
          fragments.randomElement(using: &generator)!.utf8
        }
      }
      var body = form((0..<Int.random(in: 1...4, using: &generator)).map { _ in text(12) }, boundary: boundary)
      // Some are damaged.
      if Int.random(in: 0..<3, using: &generator) == 0 {
        let index = Int.random(in: 0...body.count, using: &generator)
        body.insert(contentsOf: text(2), at: index)
      }
      if Int.random(in: 0..<6, using: &generator) == 0 {
        body.removeLast(Int.random(in: 0..<body.count, using: &generator))
      }
      let pieces = (0..<body.count).map { _ in Int.random(in: 1...9, using: &generator) }
      #expect(
        parts(of: body, boundary: boundary, pieces: pieces) == slowParts(of: body, boundary: boundary),
        "\(String(decoding: body, as: UTF8.self))")
    }
  }

  @Test("Each byte of a body of near-boundaries is content, and at most twice compared")
  func nearBoundaries() throws {
    let boundary = String(repeating: "b", count: 69)
    let near = Array("\r\n--\(boundary)".utf8)
    for content in [
      [UInt8](repeating: 13, count: 100_000), Array(repeatElement(near.dropLast(), count: 1500).joined()),
      Array(repeatElement([13, 10], count: 50_000).joined()),
    ] {
      let body = form([content], boundary: boundary)
      let found = parts(of: body, boundary: boundary, pieces: repeatElement(4096, count: body.count / 4096 + 1))
      #expect(found == [Part(name: "p0", file: "a.csv", content: content)])
      var search = SplitSearch(for: near)
      let pieces = stride(from: 0, to: content.count, by: 1000)
      for start in pieces { _ = search.look(in: ByteBuffer(bytes: content[start...].prefix(1000)).readableBytesView) }
      // What a piece begins with is compared with what the piece before may have begun.
      #expect(search.comparisons <= 2 * content.count + Array(pieces).count, "\(search.comparisons)")
    }
  }

  @Test("Too many parts, and heads that are too long, are refused")
  func limits() {
    let many = form([[UInt8]](repeating: [], count: 51), boundary: "x")
    #expect(parts(of: many, boundary: "x", pieces: [many.count]) == nil)
    let some = form([[UInt8]](repeating: [], count: 50), boundary: "x")
    #expect(parts(of: some, boundary: "x", pieces: [some.count])?.count == 50)
    let long = Array(
      "--x\r\nContent-Disposition: form-data; name=\"a\"\r\nX: \(String(repeating: "a", count: 9000))".utf8)
    var splitter = MultipartSplitter(boundary: "x")
    #expect(throws: MultipartSplitter.Malformed.self) { try splitter.take(ByteBuffer(bytes: long)) }
  }
}
