import CCurl
import Glibc

/// Sets the options of a libcurl handle: the common ones once, and before each transfer those that differ from the
/// last.
struct CurlOptions {
  private let easy: CurlEasy
  private let certificates: CertificateStore
  /// For a request without a timeout of its own.
  private let totalTimeout: Duration
  /// Whether the handle is set to trust the bundle too.
  private(set) var trustsWhole: Bool
  /// The last request whose options were set.
  private var applied: HTTPRequest?
  private var lines = CurlEasy.HeaderList()

  /// The options of a new handle; each request may take `totalTimeout`, or its own timeout.
  init(of easy: CurlEasy, _ certificates: CertificateStore, totalTimeout: Duration) {
    (self.easy, self.certificates, self.totalTimeout) = (easy, certificates, totalTimeout)
    trustsWhole = certificates.isWhole
  }

  /// Sets the options common to every transfer.
  ///
  /// Throws `setting` with the name of the first option that this libcurl rejects.
  func apply(_ settings: HTTPSettings) throws(HTTPFailure) {
    try certificates.apply(to: easy)
    try setLimits(settings)
    try setManners(settings)
  }

  /// Frees the memory the handle used; call it after closing the handle.
  mutating func free() { lines.removeAll() }

  private func setLimits(_ settings: HTTPSettings) throws(HTTPFailure) {
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeout.wholeMilliseconds)
    try easy.set(CURLOPT_LOW_SPEED_TIME, max(1, settings.stallTime.wholeMilliseconds / 1000))
    try easy.set(CURLOPT_LOW_SPEED_LIMIT, settings.stallBytesPerSecond)
    try easy.set(CURLOPT_MAXREDIRS, 5)
    try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
  }

  private func setManners(_ settings: HTTPSettings) throws(HTTPFailure) {
    try easy.set(CURLOPT_USERAGENT, settings.userAgent)
    try easy.set(CURLOPT_ACCEPT_ENCODING, "")  // every encoding this libcurl can decode
    try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    try easy.set(CURLOPT_NOSIGNAL, 1)
    // Otherwise the end of a transfer still resolving waits for getaddrinfo, which ignores our timeouts.
    try easy.set(CURLOPT_QUICK_EXIT, 1)
    try easy.set(CURLOPT_IPRESOLVE, settings.ipVersion.option)
    if let proxy = settings.proxy { try easy.set(CURLOPT_PROXY, proxy) }
  }

  /// Sets the options of a request.
  ///
  /// Throws `invalidURL`, `invalidHeader`, or `setting` with the name of an option that libcurl rejects.
  mutating func apply(_ next: HTTPRequest) throws(HTTPFailure) {
    guard !next.url.utf8.contains(0) else { throw .invalidURL }  // libcurl would truncate it there
    try easy.set(CURLOPT_URL, next.url)
    try setLines(next.headerLines)
    try setTrust()
    try setManner(of: next, after: applied)
  }

  /// Sets what differs from the last request, usually nothing.
  private mutating func setManner(of next: HTTPRequest, after last: HTTPRequest?) throws(HTTPFailure) {
    applied = nil
    if last?.method != next.method || last?.maxBodyBytes != next.maxBodyBytes {
      switch next.method {
      case .get: try easy.set(CURLOPT_HTTPGET, 1)
      case .head: try easy.set(CURLOPT_NOBODY, 1)
      case .post(let form): try easy.post(Array(form.utf8))
      case .send(let body): try easy.post(body)
      }
      // A HEAD response states the length of a body that is not sent; 0 is no limit.
      try easy.set(CURLOPT_MAXFILESIZE_LARGE, size: next.method == .head ? 0 : next.maxBodyBytes)
    }
    if last == nil || last?.timeout != next.timeout {
      try easy.set(CURLOPT_TIMEOUT_MS, min(next.timeout ?? totalTimeout, totalTimeout).wholeMilliseconds)
    }
    if last?.followsRedirects != next.followsRedirects {
      try easy.set(CURLOPT_FOLLOWLOCATION, next.followsRedirects ? 1 : 0)
    }
    if last?.isSecure != next.isSecure {
      try easy.set(CURLOPT_REDIR_PROTOCOLS_STR, next.isSecure ? "https" : "http,https")
      // With TLS, wait for a connection that HTTP/2 may share: 1 instead of 100, a fifth of the CPU. Plain HTTP shares
      // none, and libcurl 8.14 and 8.21 would still wait for the first response, however long it takes.
      try easy.set(CURLOPT_PIPEWAIT, next.isSecure ? 1 : 0)
    }
    if last?.rules != next.rules {
      // What a proxy connects to is unknown here; where addresses matter, there is none.
      try easy.set(CURLOPT_NOPROXY, next.rules?.allowsPrivateNetworks == false ? "*" : nil)
    }
    applied = next
  }

  private mutating func setLines(_ texts: [String]) throws(HTTPFailure) {
    guard !texts.isEmpty || !lines.isEmpty else { return }
    lines.removeAll()
    do throws(HTTPFailure) {
      for text in texts { try lines.append(text) }
    } catch {
      lines.removeAll()
      try easy.set(lines)
      throw error
    }
    try easy.set(lines)
  }

  private mutating func setTrust() throws(HTTPFailure) {
    guard trustsWhole != certificates.isWhole else { return }
    try certificates.apply(to: easy)
    trustsWhole = certificates.isWhole
  }
}

extension HTTPSettings.IPVersion {
  /// The value of CURLOPT_IPRESOLVE.
  fileprivate var option: Int {
    switch self {
    case .any: Int(CURL_IPRESOLVE_WHATEVER)
    case .v4: Int(CURL_IPRESOLVE_V4)
    case .v6: Int(CURL_IPRESOLVE_V6)
    }
  }
}

/// The callbacks through which libcurl notifies and queries a transfer.
///
/// They reach the `Transfer` through a pointer that is not retained: a transfer owns its handle, and callbacks happen
/// only inside calls of `CurlMulti`, on their thread.
extension CurlEasy {
  /// Installs the callbacks for this transfer.
  func setCallbacks(for transfer: Transfer) throws(HTTPFailure) {
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    for option in [
      CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_RESOLVER_START_DATA, CURLOPT_OPENSOCKETDATA,
      CURLOPT_PREREQDATA,
    ] {
      try check(option, ccurl_set_pointer(handle, option, context))
    }
    try setDataCallbacks()
    try setConnectionCallbacks()
  }

  /// Returning any other count than that of the bytes ends the transfer.
  private func setDataCallbacks() throws(HTTPFailure) {
    let body = ccurl_set_write_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      let transfer = CurlEasy.transfer(behind: context)
      let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
      guard transfer.accepts(bodyByteCount: bytes.count) else { return 0 }
      transfer.body.append(contentsOf: bytes)
      return bytes.count
    }
    try check(CURLOPT_WRITEFUNCTION, body)
    let header = ccurl_set_write_callback(handle, CURLOPT_HEADERFUNCTION) { _, size, count, context in
      CurlEasy.transfer(behind: context).accepts(headerByteCount: size * count) ? size * count : 0
    }
    try check(CURLOPT_HEADERFUNCTION, header)
  }

  private func setConnectionCallbacks() throws(HTTPFailure) {
    let resolver = ccurl_set_resolver_callback(handle) { _, _, context in
      CurlEasy.transfer(behind: context).noteResolving()
      return 0
    }
    try check(CURLOPT_RESOLVER_START_FUNCTION, resolver)
    let socket = ccurl_set_opensocket_callback(handle) { context, _, address in
      guard let address, CurlEasy.transfer(behind: context).allows(CurlEasy.endpoint(address)) else {
        return CURL_SOCKET_BAD
      }
      let wanted = address.pointee
      return Glibc.socket(wanted.family, wanted.socktype | Int32(SOCK_CLOEXEC.rawValue), wanted.`protocol`)
    }
    try check(CURLOPT_OPENSOCKETFUNCTION, socket)
    let request = ccurl_set_prereq_callback(handle) { context, address, _, port, _ in
      let address = address.flatMap { NetworkAddress(String(cString: $0)) }
      let endpoint = address.map { RedirectPolicy.Endpoint(address: $0, port: UInt16(truncatingIfNeeded: port)) }
      return CurlEasy.transfer(behind: context).allowsRequest(to: endpoint) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
    try check(CURLOPT_PREREQFUNCTION, request)
  }

  /// The transfer that a callback's context pointer refers to.
  static func transfer(behind context: UnsafeMutableRawPointer?) -> Transfer {
    guard let context else { preconditionFailure("libcurl passes back the context pointer it was given") }
    return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  }

  /// The address and port of an IPv4 or IPv6 socket address; nil for any other family.
  private static func endpoint(_ address: UnsafeMutablePointer<curl_sockaddr>) -> RedirectPolicy.Endpoint? {
    // The address starts in the last member and may be longer than that member's type.
    guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
    let raw = UnsafeRawPointer(address) + offset
    switch address.pointee.family {
    case AF_INET:
      let socketAddress = raw.loadUnaligned(as: sockaddr_in.self)
      let bytes = withUnsafeBytes(of: socketAddress.sin_addr) { Array($0) }
      return .init(address: NetworkAddress(bytes: bytes), port: UInt16(bigEndian: socketAddress.sin_port))
    case AF_INET6:
      let socketAddress = raw.loadUnaligned(as: sockaddr_in6.self)
      let bytes = withUnsafeBytes(of: socketAddress.sin6_addr) { Array($0) }
      return .init(address: NetworkAddress(bytes: bytes), port: UInt16(bigEndian: socketAddress.sin6_port))
    default:
      return nil
    }
  }
}

/// The certificates that servers are verified against: the system's, plus a file given by the user.
///
/// A Linux system has its certificates twice: in one bundle, and in a folder with one file each, named by the hash of
/// the subject. libcurl 7.88.1 on Debian uses both and rereads the whole bundle for every TLS connection: 15 ms of CPU,
/// against 1 ms for the few files of the folder that a handshake needs. So the folder is used alone until a server's
/// certificate fails to verify against it; from then on the bundle is read too, which is libcurl's usual trust.
///
/// A user's file replaces libcurl's bundle (CURLOPT_CAINFO), but not the folder. If the bundle is needed, both are
/// passed as one block of PEM (CURLOPT_CAINFO_BLOB).
final class CertificateStore {
  private let ownFile: String?
  private let bundle: String?
  private let folder: String?
  /// Whether the bundle is read too.
  private(set) var isWhole: Bool

  /// The system's certificates and those in `ownFile`, PEM.
  ///
  /// Throws `certificates` if that file cannot be read.
  convenience init(besides ownFile: String?) throws(HTTPFailure) {
    let (bundle, folder) = CertificateStore.locations { getenv($0).map { String(cString: $0) } }
    try self.init(ownFile: ownFile, bundle: bundle, folder: folder)
  }

  /// Where the system's certificates are: what SSL_CERT_FILE and SSL_CERT_DIR name, which OpenSSL and curl(1) read too; without
  /// both, where libcurl was built to look. A bundled libcurl may look where this system has nothing.
  static func locations(_ variable: (String) -> String?) -> (file: String?, folder: String?) {
    let named = ["SSL_CERT_FILE", "SSL_CERT_DIR"].map { variable($0).flatMap { $0.isEmpty ? nil : $0 } }
    return named == [nil, nil] ? CurlEasy.builtInAuthorities : (named[0], named[1])
  }

  /// The certificates of these files and this folder; a nil bundle or folder is not used.
  init(ownFile: String?, bundle: String?, folder: String?) throws(HTTPFailure) {
    if let ownFile, read(ownFile).isEmpty { throw .certificates }
    (self.ownFile, self.bundle, self.folder) = (ownFile, bundle, folder)
    isWhole = folder == nil
  }

  /// From now on reads the bundle too.
  func widen() { isWhole = true }

  /// Sets the certificates that a handle's later connections trust.
  func apply(to easy: CurlEasy) throws(HTTPFailure) {
    if let folder { try easy.set(CURLOPT_CAPATH, folder) }
    if !isWhole {
      try easy.set(CURLOPT_CAINFO, ownFile)
    } else if let ownFile {
      let system = bundle.map { read($0) } ?? []
      try easy.set(CURLOPT_CAINFO_BLOB, system + [UInt8(ascii: "\n")] + read(ownFile))
    } else if let bundle {
      try easy.set(CURLOPT_CAINFO, bundle)
    }
  }
}

/// The bytes of a file; empty if it cannot be read to its end.
private func read(_ path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = Glibc.read(descriptor, &chunk, chunk.count)
    guard count >= 0 else { return [] }
    if count == 0 { return bytes }
    bytes += chunk.prefix(count)
  }
}
