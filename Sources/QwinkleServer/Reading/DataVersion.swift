import GRDB
import GRDBSQLite
import Synchronization

/// Detects commits to a database file by any connection of any program, without reading the file's content.
///
/// Source: https://sqlite.org/pragma.html#pragma_data_version
final class DataVersion: Sendable {
  /// An SQLite connection and its statement. They are accessed only under the lock, because SQLite's mutex is disabled
  /// (`SQLITE_OPEN_NOMUTEX`).
  private struct Handle: @unchecked Sendable {
    let connection: OpaquePointer
    let statement: OpaquePointer
  }

  private let handle: Mutex<Handle?>

  /// Opens a dedicated connection.
  init(path: String) throws {
    var connection: OpaquePointer?
    var statement: OpaquePointer?
    let opened = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
    let code =
      opened == SQLITE_OK ? sqlite3_prepare_v2(connection, "PRAGMA data_version", -1, &statement, nil) : opened
    guard code == SQLITE_OK, let connection, let statement else {
      sqlite3_close_v2(connection)
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    handle = Mutex(Handle(connection: connection, statement: statement))
  }

  deinit { close() }

  /// A number that changes with each commit, or nil if it can't be read now or the connection is closed. It reflects
  /// all commits acknowledged before the call.
  var current: Int64? {
    handle.withLock { handle in
      guard let statement = handle?.statement else { return nil }
      defer { sqlite3_reset(statement) }
      return sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : nil
    }
  }

  func close() {
    handle.withLock { stored in
      guard let handle = stored else { return }
      stored = nil
      sqlite3_finalize(handle.statement)
      sqlite3_close_v2(handle.connection)
    }
  }
}
