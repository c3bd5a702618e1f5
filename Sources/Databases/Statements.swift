public import GRDB

extension Database {
  /// Runs a statement. It is prepared once per connection: SQLite needs longer to prepare a statement than to run it.
  public func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// Runs `body`, which only reads, in a transaction, so that it sees one state of the file. The methods of GRDB named
  /// `read` also prevent writes, with a pragma that causes SQLite to prepare all statements again.
  public func snapshot<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try beginTransaction(.deferred)
    do {
      let value = try body(self)
      try commit()
      return value
    } catch {
      try? rollback()
      throw error
    }
  }
}

extension DatabaseQueue {
  /// Runs `body`, which only reads, in a transaction (see ``Database/snapshot(_:)``).
  public func snapshot<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try unsafeRead { try $0.snapshot(body) }
  }
}

extension Row {
  /// Returns a column's value. If the value has another type, as in a damaged file, GRDB's subscripts end the program.
  ///
  /// - Throws: `SQLITE_CORRUPT` if the value has another type, or is NULL and `Value` isn't optional.
  public func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
    guard let value = Value.fromDatabaseValue(self[column]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(column) has a value of another type")
    }
    return value
  }
}
