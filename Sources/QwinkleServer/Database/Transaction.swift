import Databases
import FoundationEssentials
import GRDB
import QwinkleModel

/// A request's access to the database within one transaction, with the request's viewer, time and origin. Extensions
/// add the operations for each kind of record.
struct Transaction {
  let db: Database
  var now: Date
  let origin: BaseURL
  /// The schedule of due work.
  var agenda: Agenda?
  var terms = ServiceTerms()
  /// The signed-in account, or nil if the request is from a signed-out client.
  var viewer: Int64?
  var app: Int64?
  /// The scopes of the request's token.
  var scopes = Scopes("")
  /// Publishes events and logs malformed rows.
  var service: Service?
  let afterwards = Afterwards()

  var nowInMilliseconds: Int64 { now.milliseconds }

  /// Returns the signed-in account, for handlers of routes that require one.
  func me() throws -> Int64 {
    guard let viewer else { throw Refusal.unauthorized("Sign in first.") }
    return viewer
  }

  /// Returns a copy of this transaction with another viewer.
  func viewed(by account: Int64?) -> Transaction {
    var transaction = self
    transaction.viewer = account
    return transaction
  }

  /// Publishes an event after the transaction is committed.
  func happened(_ event: @autoclosure () throws -> ServiceEvent) rethrows {
    guard service != nil else { return }
    afterwards.publish(try event(), in: self)
  }

  /// Adds a due time, in milliseconds since 1970, to the agenda after the transaction is committed. If the time were
  /// added earlier, a check of the agenda before the commit would find no due work in the database and drop the time.
  func plan(_ time: Int64) { afterwards.plan(time, in: self) }

  /// After the transaction is committed, closes the streams whose tokens or Unix users it deleted.
  func tokensWereDeleted() { afterwards.endStreams(in: self) }

  /// Returns the next id: milliseconds since 1970 shifted left by 16 bits, or the last id plus one if that is higher.
  func nextID() throws -> Int64 {
    let last = try numbers("SELECT value FROM counters WHERE name = 'last_id'").first ?? 0
    let next = max(last + 1, max(nowInMilliseconds, 0) << 16)
    try run(
      """
      INSERT INTO counters (name, value) VALUES ('last_id', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """, [next])
    return next
  }

  /// Runs a statement. Statements are prepared once per connection.
  func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
    try db.run(sql, arguments)
  }

  /// Returns the rows of a query, which is prepared once per connection. This method and the methods below, except
  /// ``allRows(literal:)``, leave out malformed rows. All of them log malformed rows.
  func rows(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> [StoredRow] {
    try sound(db.cachedStatement(sql: sql), arguments)
  }

  /// Returns the rows of a query whose arguments are interpolated into the ``SQL`` value, as in the other `literal:`
  /// overloads.
  func rows(literal query: SQL) throws -> [StoredRow] {
    try sound(db.cachedStatement(literal: query))
  }

  func row(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> StoredRow? {
    try sound(db.cachedStatement(sql: sql), arguments, most: 1).first
  }

  func row(literal query: SQL) throws -> StoredRow? {
    try sound(db.cachedStatement(literal: query), most: 1).first
  }

  /// Returns the values of a query's only column.
  func numbers(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> [Int64] {
    try sound(db.cachedStatement(sql: sql), arguments) { StoredRow($0)[0] }
  }

  func numbers(literal query: SQL) throws -> [Int64] {
    try sound(db.cachedStatement(literal: query)) { StoredRow($0)[0] }
  }

  /// Like ``rows(literal:)``, but includes malformed rows, for callers that compare the number of rows with a limit.
  func allRows(literal query: SQL) throws -> [StoredRow] {
    try sound(db.cachedStatement(literal: query), keepsMalformed: true)
  }

  /// Returns `value` of each row in which every value has its column's declared type, or of all rows if
  /// `keepsMalformed` is true. Logs malformed rows. A row is valid only during the call of `value`, which copies it to
  /// keep it.
  private func sound<Value>(
    _ statement: Statement, _ arguments: StatementArguments? = nil, most: Int = .max, keepsMalformed: Bool = false,
    _ value: (Row) -> Value = { StoredRow($0.copy()) }
  ) throws -> [Value] {
    let columns = DeclaredColumns(statement)
    let cursor = try Row.fetchCursor(statement, arguments: arguments)
    var values: [Value] = []
    while values.count < most, let row = try cursor.next() {
      let malformed = columns.firstMalformed
      if let malformed { service?.malformedRows.note(malformed, in: row, of: statement) }
      if malformed == nil || keepsMalformed { values.append(value(row)) }
    }
    return values
  }

  /// Runs `work` in a savepoint. If `work` throws, its changes and its pending events are discarded, and the
  /// transaction can continue.
  func inSavepoint(_ work: () throws -> Void) throws {
    let noted = afterwards.noted
    do {
      try db.inSavepoint {
        try RowDamage.watching(work)
        return .commit
      }
    } catch {
      afterwards.restore(noted)
      throw error
    }
  }
}

extension [StoredRow] {
  /// The rows, keyed by their first column.
  var byID: [Int64: StoredRow] { Dictionary(map { ($0[0] as Int64, $0) }) { first, _ in first } }
}

/// Returns numbers as a JSON array for `json_each`, so that one prepared statement works for any count.
func jsonArray(_ numbers: some Sequence<Int64>) -> String {
  "[" + numbers.map(String.init).joined(separator: ",") + "]"
}

extension Date {
  init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}

/// The stored numbers of visibilities.
enum VisibilityCode {
  static let `public`: Int64 = 0
  static let unlisted: Int64 = 1
  static let `private`: Int64 = 2
  static let direct: Int64 = 3

  private static let inOrder: [Visibility] = [.public, .unlisted, .private, .direct]

  static func code(_ visibility: Visibility) -> Int64 { Int64(inOrder.firstIndex(of: visibility) ?? 3) }

  /// Returns the visibility with this code. Treats an unknown code as the narrowest visibility.
  static func visibility(_ code: Int64) -> Visibility { (0..<3).contains(code) ? inOrder[Int(code)] : .direct }
}
