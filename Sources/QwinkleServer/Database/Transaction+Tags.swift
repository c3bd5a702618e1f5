import GRDB
import QwinkleModel

extension Transaction {
  private static let dayInMilliseconds: Int64 = 86_400_000
  /// Maximum number of uses counted for a tag. Older uses are ignored.
  private static let mostCounted = 20_000

  /// Returns, for each of the last seven days, the number of public posts with a tag and the number of their authors.
  /// Today is first. Days are in UTC.
  func history(ofTag tag: String) throws -> [Tag.Day] {
    let today = nowInMilliseconds / Self.dayInMilliseconds
    let rows = try rows(
      """
      SELECT s.created_at / ?1 AS day, count(*), count(DISTINCT s.account_id)
      FROM (SELECT status_id FROM status_tags WHERE tag = ?2 AND status_id >= ?3 ORDER BY status_id DESC LIMIT ?4) t
      CROSS JOIN statuses s ON s.id = t.status_id WHERE s.visibility = 0 GROUP BY day
      """, [Self.dayInMilliseconds, tag, max(0, (today - 6) * Self.dayInMilliseconds) << 16, Self.mostCounted])
    let days = rows.byID
    return (0..<7 as Range<Int64>).map { ago in
      let row = days[today - ago]
      return Tag.Day(
        start: Int((today - ago) * Self.dayInMilliseconds / 1000), uses: row?[1] ?? 0, accounts: row?[2] ?? 0)
    }
  }
}
