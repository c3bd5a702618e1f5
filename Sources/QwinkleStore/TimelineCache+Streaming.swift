import Foundation
import GRDB
public import QwinkleModel
import Timekeeping

extension TimelineCache {
  /// Saves qwinks that a stream has told of, each where its id has it, as ``PagedRows/insertStreamed(_:)`` does; then
  /// calls `then` with those that are new in the file.
  public func insertStreamed(
    _ qwinks: [(qwink: Qwink, source: [UInt8])], in name: TimelineName,
    then: @escaping @MainActor @Sendable (Set<Qwink.RowID>) -> Void
  ) {
    let now = clock.now.timeIntervalSince1970
    let rows = qwinks.map {
      (id: $0.qwink.rowID, element: KeptElement($0.qwink, source: $0.source.isEmpty ? nil : $0.source))
    }
    let activity = ledger.begin("save streamed rows")
    write(about: .timeline(name)) { database in
      let timeline = KeptTimeline(name: name.key, database: database, now: now)
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

extension KeptTimeline {
  private static let rowsAtOnce = 64

  /// Inserts a row where its id has it, unless it is stored already, or belongs where rows are missing. Returns whether
  /// it was inserted.
  func insertStreamed(_ element: KeptElement) throws -> Bool {
    guard try position(of: element.key) == nil, let id = element.statusID else { return false }
    var upper: (position: Int, isGap: Bool)?
    while true {
      let rows = try GRDB.Row.fetchAll(
        database,
        sql: """
          SELECT position, gap, status FROM row LEFT JOIN qwink ON qwink.key = row.key
          WHERE timeline = ? AND position < ? ORDER BY position DESC LIMIT ?
          """, arguments: [name, upper?.position ?? Int.max, Self.rowsAtOnce])
      for row in rows {
        let position = row["position"] as Int
        if let other = row["status"] as String? {
          // What has no order comes on top: whoever asks has made sure.
          if IdentifierOrder.isAbove(id, other) ?? true {
            guard upper?.isGap != true else { return false }
            try insertStreamed(element, between: upper?.position, and: position)
            return true
          }
        }
        upper = (position, row["gap"] as String? != nil)
      }
      if rows.count < Self.rowsAtOnce { break }
    }
    // Below all rows: only where the list is known to its end.
    guard upper?.isGap != true, try older() == nil else { return false }
    try insertStreamed(element, between: upper?.position, and: nil)
    return true
  }
}
