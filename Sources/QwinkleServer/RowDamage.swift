import GRDB
import Synchronization

/// Thrown when a stored value's type isn't the type that the code expects. Only the request that read the value fails.
struct MalformedValue: Error, CustomStringConvertible {
  let description = "a row has a value of the wrong type"
}

/// Records whether a value of an unexpected type was read. Needed for columns that ``DeclaredColumns`` can't check.
final class RowDamage: Sendable {
  @TaskLocal private static var current: RowDamage?

  private let found = Atomic(false)

  /// Runs `work`. Throws ``MalformedValue`` if `work` read a malformed value, so that the transaction is rolled back.
  static func watching<Value>(_ work: () throws -> Value) throws -> Value {
    let damage = RowDamage()
    let result = Result { try $current.withValue(damage, operation: work) }
    if damage.found.load(ordering: .relaxed) { throw MalformedValue() }
    return try result.get()
  }

  fileprivate static func note() {
    current?.found.store(true, ordering: .relaxed)
  }
}

/// A type of value that ``StoredRow`` can return. `blank` replaces a malformed value until ``RowDamage`` throws an
/// error.
protocol RowValue: DatabaseValueConvertible, StatementColumnConvertible {
  static var blank: Self { get }
}

/// A row of a query. Unlike GRDB's `Row`, it doesn't crash when a value has an unexpected type.
struct StoredRow {
  private let row: Row

  init(_ row: Row) {
    self.row = row
  }

  /// Returns a column's value. NULL or a value of another type is recorded in ``RowDamage`` and returned as `blank`.
  subscript<Value: RowValue>(_ index: Int) -> Value {
    let stored: DatabaseValue = row[index]
    guard let value = Value.fromDatabaseValue(stored) else {
      RowDamage.note()
      return Value.blank
    }
    return value
  }

  /// Returns a column's value, or nil for NULL or a value of another type.
  subscript<Value: RowValue>(_ index: Int) -> Value? {
    let stored: DatabaseValue = row[index]
    return Value.fromDatabaseValue(stored)
  }
}

extension Int64: RowValue { static let blank: Int64 = 0 }
extension Int: RowValue { static let blank = 0 }
extension Bool: RowValue { static let blank = false }
extension String: RowValue { static let blank = "" }
