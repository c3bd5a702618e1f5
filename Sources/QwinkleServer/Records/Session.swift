import FoundationEssentials
import GRDB
import QwinkleModel

/// One request's access to the database, within one transaction, with its viewer, time and origin. Extensions add the
/// operations, one for each kind of record.
struct Session {
  let db: Database
  var now: Date
  let origin: Origin
  /// What the service has to do later; nil where nothing is planned.
  var agenda: Agenda?
  /// What the operator decided.
  var terms = ServiceTerms()
  /// The signed-in account; nil if signed out.
  var viewer: Int64?
  /// The app whose token was sent.
  var app: Int64?
  /// What the token allows.
  var scopes = Scopes("")
  /// Told of events.
  var service: Service?
  let afterwards = Afterwards()

  var nowInMilliseconds: Int64 { now.milliseconds }

  /// The signed-in account, for handlers of routes that require one.
  func me() throws -> Int64 {
    guard let viewer else { throw Refusal.unauthorized("Sign in first.") }
    return viewer
  }

  /// Tells listeners of an event once the transaction is saved.
  func happened(_ event: @autoclosure () throws -> ServiceEvent) rethrows {
    guard service != nil else { return }
    afterwards.publish(try event(), in: self)
  }

  /// Notes that something is due at a time, in milliseconds since 1970, once the transaction is saved: whoever looks
  /// before that finds nothing to do, and forgets the time.
  func plan(_ time: Int64) { afterwards.plan(time, in: self) }

  /// Ends the streams whose tokens are gone, once the transaction is saved.
  func tokensWereDeleted() { afterwards.endStreams(in: self) }

  /// The next id: milliseconds since 1970 shifted left by 16 bits, or one more than the last if that is higher.
  func nextID() throws -> Int64 {
    let last = try numbers("SELECT value FROM counters WHERE name = 'last_id'").first ?? 0
    let next = max(last + 1, max(nowInMilliseconds, 0) << 16)
    try run(
      """
      INSERT INTO counters (name, value) VALUES ('last_id', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """, [next])
    return next
  }

  /// Runs a statement, prepared once per connection.
  func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// The rows of a query, prepared once per connection. Malformed rows are left out and logged, here and below.
  func rows(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> [StoredRow] {
    try sound(db.cachedStatement(sql: sql), arguments)
  }

  /// The same for a query with its arguments in it.
  func rows(literal query: SQL) throws -> [StoredRow] {
    try sound(db.cachedStatement(literal: query))
  }

  /// The first row of a query.
  func row(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> StoredRow? {
    try sound(db.cachedStatement(sql: sql), arguments, most: 1).first
  }

  /// The same for a query with its arguments in it.
  func row(literal query: SQL) throws -> StoredRow? {
    try sound(db.cachedStatement(literal: query), most: 1).first
  }

  /// The numbers in a query's first column.
  func numbers(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> [Int64] {
    try rows(sql, arguments).map { $0[0] }
  }

  /// The same for a query with its arguments in it.
  func numbers(literal query: SQL) throws -> [Int64] {
    try rows(literal: query).map { $0[0] }
  }

  /// Like ``rows(literal:)``, with the malformed rows, for a caller that compares their number with a limit.
  func allRows(literal query: SQL) throws -> [StoredRow] {
    try sound(db.cachedStatement(literal: query), keepsMalformed: true)
  }

  /// The rows of a query whose values have the types that their columns declare.
  private func sound(
    _ statement: Statement, _ arguments: StatementArguments? = nil, most: Int = .max, keepsMalformed: Bool = false
  ) throws -> [StoredRow] {
    let columns = DeclaredColumns(statement)
    let cursor = try Row.fetchCursor(statement, arguments: arguments)
    var rows: [StoredRow] = []
    while rows.count < most, let row = try cursor.next() {
      let row = row.copy()
      let malformed = columns.firstMalformed
      if let malformed { service?.malformedRows.note(malformed, in: row, of: statement) }
      if malformed == nil || keepsMalformed { rows.append(StoredRow(row)) }
    }
    return rows
  }

  /// Runs `work` in a savepoint. If it throws, its changes and what it noted for later are undone, and the transaction
  /// can go on.
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

/// Numbers as a JSON array for `json_each`, so that one prepared statement serves any count.
func jsonArray(_ numbers: some Sequence<Int64>) -> String {
  "[" + numbers.map(String.init).joined(separator: ",") + "]"
}

extension Date {
  init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}

/// Visibilities as stored in the file.
enum VisibilityCode {
  static let `public`: Int64 = 0
  static let unlisted: Int64 = 1
  static let `private`: Int64 = 2
  static let direct: Int64 = 3

  static func code(_ visibility: Visibility) -> Int64 {
    switch visibility {
    case .public: `public`
    case .unlisted: unlisted
    case .private: `private`
    case .direct: direct
    }
  }

  /// An unknown code counts as the narrowest visibility.
  static func visibility(_ code: Int64) -> Visibility {
    switch code {
    case `public`: .public
    case unlisted: .unlisted
    case `private`: .private
    default: .direct
    }
  }
}
