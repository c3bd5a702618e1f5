import Databases
import Foundation
import GRDB
public import QwinkleModel

/// Reads for callers that need less, or more, than the qwinks of rows.
extension TimelineCache {
  /// Fetches rows like ``fetch(_:after:limit:isShort:then:)``, and converts each qwink in the background. Passes the
  /// rows and the result for each of them, which is nil for a gap. Passes nil if the file can't be read.
  public func fetch<Value: Sendable>(
    _ name: TimelineName, after rows: [Timeline.Row], limit: Int,
    converting convert: @escaping @Sendable (Qwink) -> Value,
    then: @escaping @MainActor @Sendable ((rows: CachedRows, values: [Value?])?) -> Void
  ) {
    fetch("read cached rows", after: [.timeline(name), .content]) { database in
      let found = try CachedTimeline(name: name.key, database: database, now: 0).rows(after: rows, limit: limit)
      return (rows: found, values: found.rows.map { $0.qwink.map(convert) })
    } then: {
      then($0)
    }
  }

  /// Returns at once the JSON (UTF-8) of cached rows as the server sent it, without the user's later reactions.
  public func loadSources(_ rows: [Qwink.RowID], of name: TimelineName) -> [Qwink.RowID: [UInt8]] {
    read(after: [.timeline(name), .content]) { database in
      var sources: [Qwink.RowID: [UInt8]] = [:]
      for row in rows {
        let source = try Data.fetchOne(
          database.cachedStatement(
            sql: "SELECT source FROM row JOIN qwink ON qwink.key = row.key WHERE timeline = ? AND row.key = ?"),
          arguments: [name.key, CachedElement.key(of: row)])
        if let source { sources[row] = [UInt8](source) }
      }
      return sources
    } ?? [:]
  }
}
