/// Records that this machine appends as it works, in the lines of a state file: `{"v":1,"name":value,…,"c":"xxxxxxxx"}`.
///
/// Each record is one `write`, without syncing: records survive the end of the process, however it ends, but not that of
/// the system. A line that is broken, such as a torn last one, is ignored.
package final class StateJournal {
  private let file: File

  /// Opens the file, which is made if it is missing.
  package init(_ path: String) throws(LogError) {
    try Directory.make(Directory.parent(of: path))
    file = try File(path, .append)
  }

  /// Appends a record; leaves the file as it was if that fails.
  package func append(_ record: StateRecord) throws(LogError) { try append([record], after: file.status().size) }

  /// Replaces all records. What a crash leaves of it may lack some of them.
  package func replace(with records: some Collection<StateRecord>) throws(LogError) {
    try file.truncate(to: 0)
    if !records.isEmpty { try append(records, after: 0) }
  }

  private func append(_ records: some Collection<StateRecord>, after end: UInt64) throws(LogError) {
    var lines = LineWriter()
    for record in records { lines.write(record) }
    if let refusal = lines.refusal { throw .refused(kind: Directory.name(of: file.path), refusal) }
    do throws(LogError) { try file.write(lines.bytes) } catch {
      // The next record must not stand in a torn line.
      try? file.truncate(to: end)
      throw error
    }
  }

  /// Whether a file has no records.
  package static func isEmpty(_ path: String) throws(LogError) -> Bool { try FileStatus.of(path)?.size ?? 0 == 0 }

  /// The records of a file; none if it is missing.
  package static func read(_ path: String) throws(LogError) -> [StateRecord] {
    let file: File
    do throws(LogError) { file = try File(path, .read) } catch {
      if error.isMissing { return [] }
      throw error
    }
    var scanner = LineScanner(file: file, offset: 0)
    var reader = LineReader()
    var records: [StateRecord] = []
    while let line = try scanner.next() {
      if let record = line.bytes.flatMap({ StateRecord($0, reader: &reader) }) { records.append(record) }
    }
    return records
  }
}
