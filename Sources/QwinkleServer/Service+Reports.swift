public import FoundationEssentials
import GRDB
import QwinkleModel
import SafeText

/// A user's report, as shown to the operator. Texts have no control characters.
public struct ServedReport: Hashable, Sendable {
  public var id: String
  public var reporter: String
  public var reported: String
  /// The ids of the reported posts.
  public var posts: [String]
  /// May contain line breaks.
  public var comment: String
  public var category: String
  /// The text of the cited rules at the time of the report.
  public var rules: [String]
  public var createdAt: Date
  /// Nil for an open report.
  public var resolvedAt: Date?
  /// The operator who resolved the report. Empty for an open report.
  public var resolvedBy: String
  /// The operator's note. May be empty.
  public var note: String
}

/// A reported post, as shown to the operator. Texts have no control characters.
public struct ServedPost: Hashable, Sendable {
  public var id: String
  /// The value of the API, such as `public`.
  public var visibility: String
  public var warning: String
  public var text: String
  public var createdAt: Date
  /// The number of pictures.
  public var pictures: Int
}

/// Reports for the operator. These calls block.
extension Service {
  /// Returns users' reports, newest first.
  ///
  /// - Parameter onlyOpen: Whether to leave out resolved reports.
  public func reports(onlyOpen: Bool = false) throws(ServiceError) -> [ServedReport] {
    try write { transaction in
      try transaction.reports(ReportFilter(isResolved: onlyOpen ? false : nil)).map { try Self.served($0, transaction) }
    }
  }

  /// Returns a report with its posts. Deleted posts are left out. The operator sees posts of any visibility, because
  /// the reporter chose to show them.
  ///
  /// - Throws: ``ServiceError/noSuchReport(_:)``, or an error of ``open()``.
  public func report(_ id: String) throws(ServiceError) -> (report: ServedReport, posts: [ServedPost]) {
    try write { transaction in
      guard let number = Int64(id), let report = try transaction.report(number) else {
        throw ServiceError.noSuchReport(id)
      }
      let posts = try transaction.rows(
        """
        SELECT id, visibility, warning, source, created_at, media_count FROM statuses
        WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id
        """, [jsonArray(report.posts)]
      ).map { row in
        ServedPost(
          id: String(row[0] as Int64), visibility: VisibilityCode.visibility(row[1]).rawValue,
          warning: SafeText.line(row[2]), text: SafeText.paragraphs(row[3]), createdAt: Date(milliseconds: row[4]),
          pictures: row[5])
      }
      return (try Self.served(report, transaction), posts)
    }
  }

  /// Resolves a report.
  ///
  /// - Throws: ``ServiceError/noSuchReport(_:)``, ``ServiceError/longText(most:)``, or an error of ``open()``.
  public func resolveReport(
    _ id: String, note: String = "", by actor: AuditActor = .ofProcess
  ) throws(ServiceError) {
    try setResolution(of: id, note: ModerationText.line(note), by: actor)
  }

  /// Opens a resolved report again.
  ///
  /// - Throws: ``ServiceError/noSuchReport(_:)``, or an error of ``open()``.
  public func reopenReport(_ id: String, by actor: AuditActor = .ofProcess) throws(ServiceError) {
    try setResolution(of: id, note: nil, by: actor)
  }

  private func setResolution(of id: String, note: String?, by actor: AuditActor) throws(ServiceError) {
    guard let number = Int64(id) else { throw .noSuchReport(id) }
    try write { try $0.setResolution(of: number, note: note, by: actor) }
  }

  private static func served(_ report: StoredReport, _ transaction: Transaction) throws -> ServedReport {
    ServedReport(
      id: String(report.id), reporter: try transaction.name(of: report.reporter),
      reported: try transaction.name(of: report.target), posts: report.posts.map { String($0) },
      comment: report.comment, category: report.category, rules: report.rules, createdAt: report.createdAt,
      resolvedAt: report.resolvedAt, resolvedBy: report.resolvedBy, note: report.note)
  }
}
