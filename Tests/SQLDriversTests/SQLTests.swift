import Testing

@testable import SQLDrivers

@Suite("The text of a statement")
struct SQLTests {
  @Test("The text is made of other SQL, numbers and quoted names")
  func parts() {
    let columns: [SQL] = ["a", "b"]
    let hasOwner = true
    let sql: SQL = """
      SELECT \(.joined(columns)) FROM \(name: "x\"; y")\(" WHERE owner = ?", if: hasOwner)\(" LIMIT 1", if: !hasOwner) \
      AND n IN (\(.repeated("?", 3))) AND m = \(number: Int64.min)
      """
    #expect(
      sql.description
        == #"SELECT a, b FROM "x""; y" WHERE owner = ? AND n IN (?, ?, ?) AND m = -9223372036854775808"#)
    #expect(SQL.names(["a", "user"]).description == #""a", "user""#)
    #expect(SQL.joined([], by: " AND ").description == "")
    #expect(SQL.joined(columns, by: " AND ").description == "a AND b")
  }

  @Test("A part for one engine alone makes the whole one for it")
  func engines() {
    let pragma = SQL.sqlite("PRAGMA user_version")
    let sql: SQL = "SELECT 1; \(pragma)"
    #expect(sql.engine == .sqlite && SQL.joined(["SELECT 1", pragma], by: "; ").engine == .sqlite)
    #expect(SQL.postgres("SELECT 1").engine == .postgres)
    let other: SQL = "SELECT \(number: 1)"
    #expect(other.engine == nil)
  }

  @Test("Equal texts are one key, whether or not they were put together")
  func keys() {
    func sql(_ number: Int) -> SQL { "SELECT \(number: number)" }
    #expect(sql(1) == sql(1) && sql(1).hashValue == sql(1).hashValue && sql(1) != sql(2))
    func literal() -> SQL { "SELECT 1" }
    #expect(literal() == literal() && literal().hashValue == literal().hashValue)
  }
}
