/// The server side of one connection: reads requests and performs the steps of each reply.
struct Connection {
  private let socket: Socket
  private var received: [UInt8] = []

  /// A connection that has not been read from yet.
  init(_ socket: Socket) { self.socket = socket }

  /// Serves requests in sequence until either side ends the connection; the caller closes the socket.
  ///
  /// `mayRespond` says whether the request with this number may be answered already.
  mutating func serve(_ reply: (Request) -> [Step], mayRespond: (Int) -> Bool) {
    while let request = nextRequest() {
      for step in reply(request) {
        guard take(step, mayRespond) else { return }
      }
      if request.wantsClose { return }
    }
  }

  /// The next request with its body; nil at the end of the connection or if the request is malformed.
  private mutating func nextRequest() -> Request? {
    var end = headEnd()
    while end == nil {
      guard received.count < Connection.limit, receiveMore() else { return nil }
      end = headEnd()
    }
    guard let end, var request = Request(head: received[..<end]), request.contentLength >= 0 else { return nil }
    received.removeFirst(end + 4)
    while received.count < request.contentLength {
      guard request.contentLength <= Connection.limit, receiveMore() else { return nil }
    }
    request.body = Array(received.prefix(request.contentLength))
    received.removeFirst(request.contentLength)
    return request
  }

  /// The maximum size of a head or a body, in bytes.
  private static let limit = 1 << 20
  private static let emptyLine = Array("\r\n\r\n".utf8)

  private mutating func receiveMore() -> Bool {
    let bytes = socket.receive()
    received += bytes
    return !bytes.isEmpty
  }

  /// The index of the empty line after the head, nil if incomplete.
  private func headEnd() -> Int? {
    received.indices.dropLast(3).first { received[$0...].starts(with: Connection.emptyLine) }
  }

  /// Performs one step; returns false if it ended the connection.
  private func take(_ step: Step, _ mayRespond: (Int) -> Bool) -> Bool {
    switch step {
    case .send(let bytes): return socket.send(bytes)
    case .pause(let milliseconds): return socket.staysOpen(milliseconds: milliseconds)
    case .turn(let number):
      while !mayRespond(number) {
        guard socket.staysOpen(milliseconds: 5) else { return false }
      }
      return true
    case .hang: return socket.staysOpen(milliseconds: -1)
    case .flood(let bytes):
      while socket.send(bytes) {}
      return false
    case .close: return false
    case .reset:
      socket.resetOnClose()
      return false
    }
  }
}
