import Core
import EventLog
import Glibc
import Seeded
import TestSupport
import Testing
import WebPolling

@testable import App

/// The stored polling state of feeds of any site.
@Suite struct WebPollStateTests {
  private let folder = TemporaryFolder()
  private var home: Home { get throws { try Home(folder: folder.path, environment: [:]) } }
  private let run = Sample.id(1)

  private func time(_ generator: inout SeededGenerator) -> Timestamp {
    Timestamp(seconds: .random(in: 1_700_000_000...1_900_000_000, using: &generator))
  }

  /// A state of which each part is there or not.
  private func state(_ generator: inout SeededGenerator) throws -> WebFeedState {
    var state = WebFeedState()
    let url = try #require(
      WebURL("https://user:p%40ss@a.example:8443/feed?token=\(UInt8.random(in: 0...255, using: &generator))"))
    func perhaps<Value>(_ value: Value) -> Value? { Bool.random(using: &generator) ? value : nil }
    state.url = perhaps(.random(in: 0 ... .max, using: &generator))
    state.requested = perhaps(time(&generator))
    state.isUnstored = .random(using: &generator)
    state.answered = perhaps(time(&generator))
    state.etag = perhaps("W/\"a, \\ b\"")
    state.lastModified = perhaps("Wed, 01 Jul 2026 14:00:35 GMT")
    state.whole = perhaps(time(&generator))
    state.digest = perhaps(.random(in: 0 ... .max, using: &generator))
    state.bytes = perhaps(.random(in: 0...33_000_000, using: &generator))
    state.hasFalseValidators = .random(using: &generator)
    state.habit = perhaps(PublishingInterval(newest: time(&generator), interval: perhaps(3600)))
    state.freshFor = perhaps(7200)
    state.failures = .random(in: 0...9, using: &generator)
    state.failingSince = perhaps(time(&generator))
    state.trouble = perhaps(.page)
    state.lastOutcome = perhaps("HTTP 404")
    state.move = perhaps(
      MoveEvidence(
        target: url, source: .redirect, count: 2, first: time(&generator), last: time(&generator),
        isSame: .random(using: &generator)))
    state.fallback = perhaps(DatedAddress(url: url, until: time(&generator)))
    state.rejected = perhaps(DatedAddress(url: url, until: time(&generator)))
    return state
  }

  @Test("What is written is read again")
  func roundTrip() throws {
    let file = WebPollStateFile(try home)
    var generator = SeededGenerator(seed: 30)
    for _ in 0..<20 {
      var memory = WebPollState()
      for number in 0..<10 { memory.feeds[PolledFeedID("f\(number)")] = try state(&generator) }
      var host = HostState()
      host.pause = Backoff(reason: .tooMany, since: time(&generator), retry: time(&generator), backoff: 60)
      memory.hosts["a.example"] = host
      let content = WebPollStateFile.Content(memory: memory, run: run)
      try file.write(content)
      #expect(file.read { $0 == run } == content)
    }
  }

  /// A file with one feed of which something is known, and its ID.
  private func oneFeed() throws -> (file: WebPollStateFile, id: PolledFeedID) {
    let (file, id) = (WebPollStateFile(try home), PolledFeedID("faaaaaaaaaaaaaaaaaaaaaaaaaa"))
    var memory = WebPollState()
    var state = WebFeedState()
    (state.requested, state.answered, state.whole) = (Sample.start, Sample.start, Sample.start)
    (state.etag, state.digest, state.bytes, state.lastOutcome) = ("\"a\"", 255, 1000, "200")
    memory.feeds[id] = state
    try file.write(WebPollStateFile.Content(memory: memory, run: run))
    return (file, id)
  }

  @Test("The form of a record is fixed")
  func form() throws {
    _ = try oneFeed()
    let lines = String(decoding: try #require(folder.read("state/webpoll")), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(
      lines[1].hasPrefix(
        #"{"v":1,"feed":"faaaaaaaaaaaaaaaaaaaaaaaaaa","requested":"2026-01-01T00:00:00Z","answered":"2026-01-01T00:00:00Z","#
          + #""lastOutcome":"200","etag":"\"a\"","whole":"2026-01-01T00:00:00Z","digest":"00000000000000ff","bytes":1000,"c":""#
      ))
    #expect(lines[0].hasPrefix(#"{"v":1,"records":2,"#) && lines[2].hasPrefix(#"{"v":1,"run":""#))
  }

  @Test("Without the run that was its last, the log may lack entries, so that whole feeds are requested")
  func validators() throws {
    let (file, id) = try oneFeed()
    #expect(file.read { $0 == run }.memory.feeds[id]?.etag == "\"a\"")
    let read = file.read { _ in false }.memory.feeds[id]
    #expect(read?.etag == nil && read?.digest == nil && read?.requested == Sample.start)
  }

  @Test("Records of a later program are kept")
  func unknown() throws {
    let (file, _) = try oneFeed()
    var content = file.read { _ in true }
    content.unknown = [StateRecord([("bridge", .text("https://b.example")), ("count", .number(3))])]
    try file.write(content)
    let read = file.read { _ in true }
    #expect(read == content && read.unknown.count == 1)
  }

  @Test("A missing file is an empty state, a damaged one too")
  func damaged() throws {
    let file = WebPollStateFile(try home)
    let empty = WebPollStateFile.Content(memory: WebPollState(), run: nil)
    #expect(file.read { _ in true } == empty)
    _ = try oneFeed()
    let bytes = try #require(folder.read("state/webpoll"))
    for length in stride(from: 0, to: bytes.count, by: 7) {
      folder.write(bytes.prefix(length), to: "state/webpoll")
      #expect(file.read { _ in true } == empty)
    }
    var changed = bytes
    changed[bytes.count / 2] ^= 1
    folder.write(changed, to: "state/webpoll")
    #expect(file.read { _ in true } == empty)
  }

  @Test("Only the owner may read it, as addresses may contain passwords; the file of YouTube's feeds stays as it is")
  func privacy() throws {
    folder.write("before".utf8, to: "state/poll")
    _ = try oneFeed()
    var status = stat()
    #expect(stat(folder.path + "/state/webpoll", &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(folder.read("state/poll") == Array("before".utf8))
  }
}
