import Core

/// This device's id, as the state folder keeps it with a hash of the machine's:
/// `{"v":1,"device":"k3v9x2ap","machine":"5fc01d…","c":"…"}`.
///
/// A home folder that was copied to another machine brings the id along; two machines that write under one id would
/// write two different files of one name. So a machine that finds another's hash takes an id of its own, and so does one
/// that cannot tell what it finds: what was logged under the id that was counts as another device's.
package enum DeviceIdentity: Equatable, Sendable {
  /// The id is kept and this machine's.
  case known(DeviceID)
  /// None is kept yet.
  case none
  /// The id kept is another machine's.
  case otherMachine(DeviceID)
  /// What is kept is broken.
  case damaged

  /// The identity kept in the folders; `machine` is the text of `/etc/machine-id`, or nil where there is none.
  package static func read(in folders: Folders, machine: String?) throws(LogError) -> DeviceIdentity {
    let records: [StateRecord]
    do throws(LogError) {
      guard let kept = try StateFile.read(folders.deviceFile) else { return .none }
      records = kept
    } catch {
      guard case .unreadable = error else { throw error }
      return .damaged
    }
    guard let record = records.first, case .text(let letters) = record["device"], let device = DeviceID(letters),
      case .text(let hash) = record["machine"]
    else { return .damaged }
    return machine.map { self.hash(of: $0) == hash } ?? true ? .known(device) : .otherMachine(device)
  }

  /// The id kept in the folders, or a new one, which is kept from now on. To be called under the writer lock.
  static func establish(in folders: Folders, machine: String?) throws(LogError) -> DeviceID {
    if case .known(let device) = try read(in: folders, machine: machine) { return device }
    var generator = SystemRandomNumberGenerator()
    let device = DeviceID(using: &generator)
    let record = StateRecord([
      ("device", .text(device.description)), ("machine", .text(hash(of: machine ?? ""))),
    ])
    try StateFile.write(folders.deviceFile, [record])
    return device
  }

  /// The id of this machine (machine-id(5)), or nil where it has none.
  package static var machine: String? {
    // One that cannot be read is as none: a state folder copied from another machine is then not noticed.
    guard let file = try? File("/etc/machine-id", .read), let bytes = try? file.bytes(at: 0, count: 64) else {
      return nil
    }
    let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  /// The id itself is confidential and never leaves the machine: machine-id(5).
  private static func hash(of machine: String) -> String {
    let digits = String(Fingerprint.of("metube-rss " + machine), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
