import Commands
import HubStore

extension NumberTable: Numbers {
  package func numbers(of ids: [String], _ kind: NumberKind) throws -> [Int] {
    try numbers(of: ids, kind: kind.rawValue)
  }
  package func ids(of numbers: [Int], _ kind: NumberKind) throws -> [String?] {
    try ids(of: numbers, kind: kind.rawValue)
  }
}
