import GRDB

extension Database {
  /// Runs a statement. It is prepared once per connection: SQLite needs longer to prepare a statement than to run it.
  func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
