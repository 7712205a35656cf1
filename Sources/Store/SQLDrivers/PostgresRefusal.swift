/// Why a server of PostgreSQL refuses a connection: the SQLSTATEs in libpq's verbose message.
enum PostgresRefusal {
  /// The codes in a message such as `connection to server at "db", port 5432 failed: FATAL:  28P01: password …`, one for
  /// each server of the address that refused.
  static func codes(in message: String) -> [String] {
    message.split(separator: "FATAL:").dropFirst().compactMap { part in
      let code = part.drop { $0 == " " }.prefix { $0 != ":" }
      return code.utf8.count == 5 && code.utf8.allSatisfy(isOfCode) ? String(code) : nil
    }
  }

  private static func isOfCode(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Whether somebody has to mend it: the role, its password or rights, or the database (PostgreSQL's manual, appendix A:
  /// 28, 3D000, 42501), in every code. Others pass: the server starts, ends, or has no connection left.
  static func isLasting(_ codes: [String]) -> Bool {
    !codes.isEmpty && codes.allSatisfy { $0.hasPrefix("28") || ["3D000", "42501"].contains($0) }
  }
}
