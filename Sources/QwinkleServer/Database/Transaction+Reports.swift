import GRDB

extension Transaction {
  private static let mostReports = 100

  /// Stores the viewer's report for the operator and returns its id. If the viewer then has more than `mostReports`
  /// reports, deletes the oldest ones.
  func addReport(of target: Int64, _ statuses: [Int64], comment: String, category: String, rules: [String]) throws
    -> Int64
  {
    let me = try me()
    let id = try nextID()
    try run(
      """
      INSERT INTO reports (id, account_id, target_id, statuses, comment, category, created_at, rules)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, [id, me, target, jsonArray(statuses), comment, category, nowInMilliseconds, SmallJSON.text(rules)])
    try run(
      """
      DELETE FROM reports WHERE account_id = ?1
      AND id <= (SELECT id FROM reports WHERE account_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
      """, [me, Self.mostReports])
    return id
  }
}
