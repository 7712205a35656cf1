import CCurl
import Glibc

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
    let (bundle, folder) = CurlEasy.builtInAuthorities
    try self.init(ownFile: ownFile, bundle: bundle, folder: folder)
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
