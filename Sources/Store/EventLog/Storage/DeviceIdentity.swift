import Core

/// This device's ID, stored in the state folder with a hash of the machine ID:
/// `{"v":1,"device":"k3v9x2ap","machine":"5fc01d…","c":"…"}`.
///
/// Copying a home folder to another machine copies the ID as well, and two machines writing under one ID would write
/// two different files of the same name. So a machine that finds another machine's hash takes a new ID, and so does one
/// that cannot read what it finds; events logged under the old ID then count as another device's.
package enum DeviceIdentity: Equatable, Sendable {
  /// An ID is stored, and it is this machine's.
  case known(DeviceID)
  /// No ID is stored yet.
  case none
  /// The stored ID is another machine's.
  case otherMachine(DeviceID)
  /// The stored file is broken.
  case damaged

  /// The identity stored in the folders; `machine` is the content of `/etc/machine-id`, nil if absent.
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

  /// The stored ID, or a new one, which is then stored. Call it under the writer lock.
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

  /// The ID of this machine (machine-id(5)); nil if absent.
  package static var machine: String? {
    // An unreadable one counts as absent: a state folder copied from another machine then goes unnoticed.
    guard let file = try? File("/etc/machine-id", .read), let bytes = try? file.bytes(at: 0, count: 64) else {
      return nil
    }
    let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  /// The machine ID is confidential and must not leave the machine: machine-id(5).
  private static func hash(of machine: String) -> String {
    String(hex: Fingerprint.of("metube-rss " + machine), digits: 16)
  }
}
