import CCurl
import Glibc

/// The callbacks through which libcurl notifies and queries a transfer.
///
/// They reach the `Transfer` through a pointer that is not retained: a transfer owns its handle, and callbacks happen
/// only inside calls of `CurlMulti`, on their thread.
extension CurlEasy {
  /// Installs the callbacks for this transfer.
  func setCallbacks(for transfer: Transfer) throws(FetchFailure) {
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
  private func setDataCallbacks() throws(FetchFailure) {
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

  private func setConnectionCallbacks() throws(FetchFailure) {
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
    let request = ccurl_set_prereq_callback(handle) { context, _, _, _, _ in
      CurlEasy.transfer(behind: context).allowsRequest() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
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
      let place = raw.loadUnaligned(as: sockaddr_in.self)
      let bytes = withUnsafeBytes(of: place.sin_addr) { Array($0) }
      return .init(address: NetworkAddress(bytes: bytes), port: UInt16(bigEndian: place.sin_port))
    case AF_INET6:
      let place = raw.loadUnaligned(as: sockaddr_in6.self)
      let bytes = withUnsafeBytes(of: place.sin6_addr) { Array($0) }
      return .init(address: NetworkAddress(bytes: bytes), port: UInt16(bigEndian: place.sin6_port))
    default:
      return nil
    }
  }
}
