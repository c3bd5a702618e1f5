import GRDB
import GRDBSQLite
import Logging
import Synchronization

/// The columns of a result that a table declares as INTEGER or TEXT. SQLite doesn't enforce the declared type, so
/// values of other types can be in a corrupt file, or in a file that another program has changed.
///
/// Source: https://sqlite.org/c3ref/column_decltype.html
struct DeclaredColumns {
  private let statement: SQLiteStatement
  /// A bit for each column, at most 64. This type is created for every query, so it must not allocate memory.
  private var integers: UInt64 = 0
  private var texts: UInt64 = 0

  init(_ statement: Statement) {
    self.statement = statement.sqliteStatement
    let count = sqlite3_column_count(self.statement)
    assert(count <= UInt64.bitWidth, "too many columns to check")
    for index in 0..<min(count, Int32(UInt64.bitWidth)) {
      // An expression has no declared type.
      guard let declared = sqlite3_column_decltype(self.statement, index) else { continue }
      switch UInt8(truncatingIfNeeded: declared.pointee) {
      case UInt8(ascii: "I"): integers |= 1 << index
      case UInt8(ascii: "T"): texts |= 1 << index
      default: break
      }
    }
  }

  /// Index of the first column whose value in the current row is neither NULL nor of the declared type, if any.
  var firstMalformed: Int? {
    var unchecked = integers | texts
    while unchecked != 0 {
      let index = unchecked.trailingZeroBitCount
      let stored = sqlite3_column_type(statement, Int32(index))
      let declared = integers & (1 << index) != 0 ? SQLITE_INTEGER : SQLITE_TEXT
      if stored != declared, stored != SQLITE_NULL { return index }
      unchecked &= unchecked - 1
    }
    return nil
  }
}

/// Logs rows that were skipped because of a malformed value. Each column is logged only once, because every read finds
/// the same rows again.
final class MalformedRowLog: Sendable {
  private let log: Logger
  private let logged = Mutex<Set<String>>([])

  init(_ log: Logger) {
    self.log = log
  }

  /// Logs that the current row of `statement` has a malformed value in a column.
  func note(_ column: Int, in row: Row, of statement: Statement) {
    let table = statement.sql.firstMatch(of: #/FROM +(\w+)/#).map { String($0.output.1) } ?? ""
    let name = statement.columnNames[column]
    guard logged.withLock({ $0.insert("\(table).\(name)").inserted }) else { return }
    // Usually the row's id, because most queries select the id first.
    let first: DatabaseValue = row[0]
    let id = Int64.fromDatabaseValue(first).map { ", in the row of \($0)" } ?? ""
    log.error("A row was left out: a value has the wrong type (column \(name) of a query of \(table)\(id)).")
  }
}
