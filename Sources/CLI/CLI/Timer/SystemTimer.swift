import App
import Core
import Glibc
import Messages
import Platform

/// The files of the system's timer: units of its own, or, where a package has them, a drop-in for what differs there.
struct SystemTimer {
  /// What all paths begin with: empty but in tests.
  var root = ""

  /// The folder with the units of a package or of `make install`, if there is one; systemd.unit(5).
  var packaged: String? {
    SystemTimer.packages.map { root + $0 }.first { TimerUnits.paths(in: $0).allSatisfy(File.exists) }
  }

  /// In the order of systemd.
  private static let packages = ["/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"]

  /// Whether a person has written units that hide those of the package: not by `timer install`.
  var foreign: String? { packaged == nil ? nil : units.first { File.exists($0) && !isOwn($0) } }

  private var folder: String { "\(root)/etc/systemd/system" }
  private var units: [String] { TimerUnits.paths(in: folder) }
  private var dropInFolder: String { "\(folder)/\(TimerUnits.name).service.d" }
  /// The assignments that `timer install` chose.
  private var dropIn: String { "\(dropInFolder)/timer-install.conf" }
  /// From it systemd-sysusers(8) creates the user; a package has one of its own.
  private var sysusers: String { "\(root)/etc/sysusers.d/metube-rss.conf" }

  /// Writes what the timer needs beside a package; returns what was done, line by line. Units and the file of the user that
  /// an earlier installation wrote would hide those of the package, so they go.
  func install(_ chosen: TimerUnits) throws -> [String] {
    guard packaged != nil else { return try installUnits(chosen) }
    if let foreign {
      throw Failure(.usage, "\(foreign): hides the unit of the package and is not of timer install; move it away first")
    }
    var lines = try (units + [sysusers]).filter(isOwn).map(remove)
    let assignments = chosen.chosen
    if assignments.isEmpty { return try lines + removeDropIn() }
    mkdir(dropInFolder, 0o755)
    let text = "\(SystemTimer.mark)\n[Service]\n" + assignments.map { "\($0)\n" }.joined()
    _ = try File.replace(dropIn, with: Array(text.utf8))
    lines.append("wrote \(dropIn)")
    return lines
  }

  private func installUnits(_ chosen: TimerUnits) throws -> [String] {
    let lines = try chosen.write(to: folder).map { "wrote \($0)" } + removeDropIn()
    mkdir(File.folder(of: sysusers), 0o755)
    _ = try File.replace(sysusers, with: PackageResources.sysusers_conf)
    return lines + ["wrote \(sysusers)"]
  }

  /// Whether there is a file that `remove` would remove.
  var isInstalled: Bool { (units + [sysusers]).contains(where: isOwn) || File.exists(dropIn) }

  /// Removes what `install` wrote, and nothing else; returns what was done, line by line.
  func remove() throws -> [String] { try (units + [sysusers]).filter(isOwn).map(remove) + removeDropIn() }

  private func removeDropIn() throws -> [String] {
    guard File.exists(dropIn) else { return [] }
    let line = try remove(dropIn)
    rmdir(dropInFolder)  // Stays if the person has others there.
    return [line]
  }

  private func remove(_ path: String) throws -> String {
    guard unlink(path) == 0 else {
      throw Failure(.disk, "\(path): cannot be removed: \(String(cString: strerror(errno)))")
    }
    return "removed \(path)"
  }

  /// Whether `timer install` wrote a file: the units by their last lines or, as the timer and the user, by all of it.
  private func isOwn(_ path: String) -> Bool {
    guard let bytes = try? File.read(path, limit: 1 << 20) else { return false }
    if bytes == PackageResources.hourly_timer || bytes == PackageResources.sysusers_conf { return true }
    return String(decoding: bytes, as: UTF8.self).contains("\n\(TimerUnits.mark)\n")
  }

  private static let mark = "# By metube-rss timer install; timer remove removes it."
}
