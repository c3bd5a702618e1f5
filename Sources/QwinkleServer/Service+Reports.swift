public import FoundationEssentials
import GRDB
import QwinkleWire
import SafeText

/// A user's report, as shown to the operator.
public struct ServedReport: Hashable, Sendable {
  public var id: String
  public var reporter: String
  public var reported: String
  /// The ids of the reported posts.
  public var posts: [String]
  /// A single line without control characters.
  public var comment: String
  public var category: String
  /// The text of the cited rules at the time of the report.
  public var rules: [String]
  public var createdAt: Date
}

extension Service {
  /// Returns users' reports, newest first. Blocks.
  public func reports() throws(ServiceError) -> [ServedReport] {
    try write { transaction in
      try transaction.rows(
        """
        SELECT r.id, a.name, t.name, r.statuses, r.comment, r.category, r.created_at, r.rules FROM reports r
        JOIN accounts a ON a.id = r.account_id JOIN accounts t ON t.id = r.target_id ORDER BY r.id DESC
        """
      ).map { row in
        // Reports stored by older versions may contain duplicates.
        let posts: [Int64] = SmallJSON.value(row[3]) ?? []
        let rules: [String] = SmallJSON.value(row[7]) ?? []
        return ServedReport(
          id: String(row[0] as Int64), reporter: row[1], reported: row[2], posts: posts.uniqued().map { String($0) },
          comment: SafeText.line(row[4]), category: row[5], rules: rules.uniqued(),
          createdAt: Date(milliseconds: row[6]))
      }
    }
  }
}
