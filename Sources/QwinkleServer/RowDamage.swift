import GRDB
import Synchronization

/// Notes that rows hold values which no sound file has, such as a text for a number.
final class RowDamage: Sendable {
  @TaskLocal private static var current: RowDamage?

  private let found = Atomic(false)

  /// Runs `work`, and fails as SQLite does for a damaged file if a row that `work` read was damaged.
  static func watching<Value>(_ work: () throws -> Value) throws -> Value {
    let damage = RowDamage()
    let result = Result { try $current.withValue(damage, operation: work) }
    if damage.found.load(ordering: .relaxed) {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row has a value of the wrong type")
    }
    return try result.get()
  }

  fileprivate static func note() {
    current?.found.store(true, ordering: .relaxed)
  }
}

/// A type that a row's value is read as. `blank` stands for a damaged one until ``RowDamage`` reports it.
protocol RowValue: DatabaseValueConvertible, StatementColumnConvertible {
  static var blank: Self { get }
}

extension Row {
  /// A column's value. GRDB's own subscript would end the process at a value of another type.
  subscript<Value: RowValue>(_ index: Int) -> Value {
    guard let value = Value.fromDatabaseValue(self[index]) else {
      RowDamage.note()
      return Value.blank
    }
    return value
  }

  /// A column's value; nil if it is NULL.
  subscript<Value: RowValue>(_ index: Int) -> Value? {
    let value: DatabaseValue = self[index]
    if value.isNull { return nil }
    guard let value = Value.fromDatabaseValue(value) else {
      RowDamage.note()
      return nil
    }
    return value
  }
}

extension Int64: RowValue { static let blank: Int64 = 0 }
extension Int: RowValue { static let blank = 0 }
extension Bool: RowValue { static let blank = false }
extension String: RowValue { static let blank = "" }
