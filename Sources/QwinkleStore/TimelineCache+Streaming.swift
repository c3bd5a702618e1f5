import Databases
import Foundation
import GRDB
public import QwinkleModel
import Timekeeping

extension TimelineCache {
  /// Saves streamed qwinks at the positions that their ids determine, like ``PagedRows/insertStreamed(_:)``. Then calls
  /// `then` with the row ids of the inserted qwinks.
  public func insertStreamed(
    _ qwinks: [(qwink: Qwink, source: [UInt8], isChanged: Bool)], in name: TimelineName,
    then: @escaping @MainActor @Sendable (Set<Qwink.RowID>) -> Void
  ) {
    let now = clock.now.timeIntervalSince1970
    let rows = qwinks.map {
      (
        id: $0.qwink.rowID,
        element: CachedElement($0.qwink, source: $0.source.isEmpty ? nil : $0.source, isChanged: $0.isChanged)
      )
    }
    let activity = ledger.begin("save streamed rows")
    write(about: .timeline(name)) { database in
      let timeline = CachedTimeline(name: name.key, database: database, now: now)
      var new: Set<Qwink.RowID> = []
      for row in rows where try timeline.insertStreamed(row.element) { new.insert(row.id) }
      return new
    } then: { new in
      Task { @MainActor in
        then(new ?? [])
        activity.end()
      }
    }
  }
}

extension CachedTimeline {
  private static let rowsAtOnce = 64

  /// Inserts a row at the position that its id determines. Skips the row if it is already stored, if it belongs in a
  /// gap, which is a range of rows that haven't been fetched, or if it belongs below all stored rows although older
  /// rows can still be fetched. Returns whether the row was inserted.
  func insertStreamed(_ element: CachedElement) throws -> Bool {
    guard try position(of: element.key) == nil, let id = element.statusID else { return false }
    var upper: (position: Int, isGap: Bool)?
    while true {
      let rows = try GRDB.Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT position, gap, status FROM row LEFT JOIN qwink ON qwink.key = row.key
            WHERE timeline = ? AND position < ? ORDER BY position DESC LIMIT ?
            """), arguments: [name, upper?.position ?? Int.max, Self.rowsAtOnce])
      for row in rows {
        let position: Int = try row.value("position")
        if let other = try row.value("status") as String? {
          // If the ids have no order, the qwink goes on top. The caller has checked that the qwink is new.
          if IdentifierOrder.isNewer(id, than: other) ?? true {
            guard upper?.isGap != true else { return false }
            try insertStreamed(element, between: upper?.position, and: position)
            return true
          }
        }
        upper = (position, String.fromDatabaseValue(row["gap"]) != nil)
      }
      if rows.count < Self.rowsAtOnce { break }
    }
    // The row belongs below all cached rows. Insert it only if there are no older rows to fetch.
    guard upper?.isGap != true, try older() == nil else { return false }
    try insertStreamed(element, between: upper?.position, and: nil)
    return true
  }
}
