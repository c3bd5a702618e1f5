import FoundationEssentials
import GRDB
import QwinkleWire
import SafeText

/// A user's report.
struct StoredReport {
  var id: Int64
  /// The ids of the reporter's and the reported account.
  var reporter, target: Int64
  /// Without control characters. May contain line breaks.
  var comment: String
  var category: String
  /// The ids of the reported posts, which may have been deleted.
  var posts: [Int64]
  /// The texts of the cited rules at the time of the report.
  var rules: [String]
  var createdAt: Date
  var resolvedAt: Date?
  /// The operator who resolved the report. Empty for an open report.
  var resolvedBy: String
  /// The operator's note.
  var note: String
}

/// Restricts the reports to return.
struct ReportFilter {
  /// Whether to return resolved or open reports. Nil for both.
  var isResolved: Bool?
  var reporter: Int64?
  var target: Int64?
  /// An account that the returned reports aren't about.
  var exceptAbout: Int64?
}

extension Transaction {
  /// Maximum number of reports stored for a reporter.
  private static let mostReports = 100

  /// Stores the viewer's report and returns its id. Notifies the operators, except the reported account. If the viewer
  /// then has more than `mostReports` reports, deletes the oldest ones.
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
    for account in try operators() where account != target {
      try notify(account, of: .report, by: me, report: id)
    }
    return id
  }

  /// Returns the report with this id, if it exists.
  func report(_ id: Int64) throws -> StoredReport? { try reports([id]).first }

  /// Returns all reports that pass a filter, newest first.
  func reports(_ filter: ReportFilter) throws -> [StoredReport] {
    try reports(numbers(literal: "SELECT r.id FROM reports r WHERE \(isMeant(filter)) ORDER BY r.id DESC"))
  }

  /// Returns a page of the reports that pass a filter, newest first.
  func reports(_ filter: ReportFilter, _ request: PageRequest) throws -> PageOf<StoredReport> {
    try page(request, "r.id", "r.id", from: "reports r WHERE \(isMeant(filter))").map(reports(_:))
  }

  /// Resolves a report, or reopens it if `note` is nil, and logs it. Throws ``ServiceError/noSuchReport(_:)``.
  func setResolution(of id: Int64, note: String?, by actor: AuditActor) throws {
    guard let report = try report(id) else { throw ServiceError.noSuchReport(String(id)) }
    let current = report.resolvedAt.map { _ in report.note }
    guard note != current else { return }
    try run(
      "UPDATE reports SET resolved_at = ?, resolved_by = ?, note = ? WHERE id = ?",
      [note.map { _ in nowInMilliseconds }, note == nil ? "" : SafeText.line(actor.words), note ?? "", id])
    try audit(
      note == nil ? .reopenReport : .resolveReport, of: name(of: report.target), String(id), reason: note ?? "",
      by: actor)
  }

  /// SQL condition that report `r` passes the filter.
  private func isMeant(_ filter: ReportFilter) -> SQL {
    """
    (\(filter.isResolved) IS NULL OR (r.resolved_at IS NOT NULL) = \(filter.isResolved))
    AND (\(filter.reporter) IS NULL OR r.account_id = \(filter.reporter))
    AND (\(filter.target) IS NULL OR r.target_id = \(filter.target))
    AND (\(filter.exceptAbout) IS NULL OR r.target_id <> \(filter.exceptAbout))
    """
  }

  /// Returns the existing reports, in the order of the ids.
  private func reports(_ ids: [Int64]) throws -> [StoredReport] {
    let rows = try rows(
      """
      SELECT id, account_id, target_id, comment, category, statuses, rules, created_at, resolved_at, resolved_by, note
      FROM reports WHERE id IN (SELECT value FROM json_each(?))
      """, [jsonArray(ids)]
    ).byID
    return ids.compactMap { id in
      guard let row = rows[id] else { return nil }
      // Reports stored by older versions may contain duplicates.
      let posts: [Int64] = SmallJSON.value(row[5]) ?? []
      let rules: [String] = SmallJSON.value(row[6]) ?? []
      let resolvedAt: Int64? = row[8]
      return StoredReport(
        id: row[0], reporter: row[1], target: row[2], comment: SafeText.paragraphs(row[3]),
        category: SafeText.line(row[4]), posts: posts.uniqued(), rules: rules.map { SafeText.line($0) }.uniqued(),
        createdAt: Date(milliseconds: row[7]), resolvedAt: resolvedAt.map(Date.init(milliseconds:)),
        resolvedBy: SafeText.line(row[9]), note: SafeText.line(row[10]))
    }
  }
}
