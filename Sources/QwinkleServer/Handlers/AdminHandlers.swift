import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Moderation in apps, for operators whose token has the scopes. Operators see only those reported posts that they may
/// see anyway. <https://docs.joinmastodon.org/methods/admin/>
enum AdminHandlers {
  static let routes = [
    Route(.get, "/api/v1/admin/reports", .required, reports),
    Route(.get, "/api/v1/admin/reports/:id", .required) { request, transaction in
      _ = try role(of: transaction)
      return try answer(request, transaction)
    },
    Route(.post, "/api/v1/admin/reports/:id/resolve", .required) { request, transaction in
      try settle(request, note: "", transaction)
    },
    Route(.post, "/api/v1/admin/reports/:id/reopen", .required) { request, transaction in
      try settle(request, note: nil, transaction)
    },
    Route(.post, "/api/v1/admin/accounts/:id/action", .required, act),
  ]

  private enum Action: String, CaseIterable {
    /// Sends the user a message.
    case none
    /// Limits the user.
    case silence
    case suspend
  }

  private static func reports(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    _ = try role(of: transaction)
    let filter = ReportFilter(
      isResolved: request.flag("resolved"), reporter: try request.queryID("account_id"),
      target: try request.queryID("target_account_id"), exceptAbout: try transaction.me())
    let page = try transaction.reports(filter, PageRequest(request, usual: 100, most: 200))
    let reports = try page.items.map { try AdminReport($0, transaction) }
    return ServiceResponse(
      { reports in JSONWriter.bytes { $0.array(reports) { $0.report($1) } } }, reports,
      link: page.link.header(for: request))
  }

  /// Resolves the report in the path, or reopens it if `note` is nil.
  private static func settle(
    _ request: ServiceRequest, note: String?, _ transaction: Transaction
  ) throws -> ServiceResponse {
    _ = try role(of: transaction)
    let report = try report(request.requiredID(), transaction)
    try transaction.setResolution(of: report.id, note: note, by: actor(transaction))
    return try answer(request, transaction)
  }

  private static func answer(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let report = try AdminReport(report(request.requiredID(), transaction), transaction)
    return ServiceResponse { $0.report(report) }
  }

  /// Acts against the account in the path, and resolves the report that led to it, if one is given.
  private static func act(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let role = try role(of: transaction)
    let target = try request.requiredID()
    // Users are notified in the app. This server sends no mail.
    let sent = try request.parameters().refuseOthers(
      than: ["type", "text", "report_id"], unless: ["send_email_notification": FlagWords.no.union(FlagWords.yes)])
    guard try !transaction.name(of: target).isEmpty else { throw Refusal.notFound }
    guard try role.mayModerate(transaction.role(of: target)) else {
      throw Refusal(status: .forbidden, message: "You can't act against an operator of your rank or a higher one.")
    }
    guard let action: Action = try sent.choice("type") else { throw sent.fault("type", "is missing") }
    let report = try sent.id("report_id").map { try self.report($0, transaction) }
    if let report, report.target != target { throw sent.fault("report_id", "must be a report of that account") }
    let actor = try actor(transaction)
    let reason = try reason(sent.text("text") ?? "")
    switch action {
    case .none: try transaction.warn(target, reason: reason, by: actor)
    case .silence: try transaction.limit(target, true, reason: reason, by: actor)
    case .suspend: try transaction.suspend(target, true, reason: reason, by: actor)
    }
    if let report { try transaction.setResolution(of: report.id, note: reason, by: actor) }
    return .done
  }

  private static func reason(_ text: String) throws(Refusal) -> String {
    do throws(ServiceError) {
      return try ModerationText.line(text)
    } catch {
      throw Refusal.invalid(error.sentence)
    }
  }

  /// Returns the viewer's role. Throws if the viewer isn't an operator.
  private static func role(of transaction: Transaction) throws -> OperatorRole {
    let role = try transaction.role(of: transaction.me())
    guard role != .user else { throw Refusal(status: .forbidden, message: "Only moderators and admins can do this.") }
    return role
  }

  /// Returns a report. Throws if it doesn't exist or is about the viewer.
  private static func report(_ id: Int64, _ transaction: Transaction) throws -> StoredReport {
    guard let report = try transaction.report(id), try report.target != transaction.me() else { throw Refusal.notFound }
    return report
  }

  private static func actor(_ transaction: Transaction) throws -> AuditActor {
    AuditActor(name: try transaction.name(of: transaction.me()))
  }
}

/// A report with everything that the API shows of it. <https://docs.joinmastodon.org/entities/Admin_Report/>
private struct AdminReport: Sendable {
  struct Account: Sendable {
    var qwinker: Qwinker
    var role: AccountRole
  }

  var report: StoredReport
  var reporter, target: Account?
  var qwinks: [Qwink]
  var rules: [ServerRule]

  init(_ report: StoredReport, _ transaction: Transaction) throws {
    self.report = report
    let qwinkers = try transaction.qwinkers([report.reporter, report.target], includesSuspended: true)
    func account(_ id: Int64) throws -> Account? {
      try qwinkers[id].map { Account(qwinker: $0, role: try transaction.accountRole(of: id)) }
    }
    (reporter, target) = (try account(report.reporter), try account(report.target))
    qwinks = try transaction.qwinks(report.posts)
    rules = try transaction.rules().filter { report.rules.contains($0.text) }
  }
}

extension JSONWriter {
  fileprivate mutating func report(_ report: AdminReport) {
    let stored = report.report
    object { writer in
      writer.field("id", String(stored.id))
      writer.field("action_taken", stored.resolvedAt != nil)
      writer.field("action_taken_at", stored.resolvedAt)
      writer.field("category", stored.category)
      writer.field("comment", stored.comment)
      writer.field("forwarded", false)
      writer.field("created_at", stored.createdAt)
      writer.field("updated_at", stored.resolvedAt ?? stored.createdAt)
      writer.field("account", report.reporter)
      writer.field("target_account", report.target)
      writer.nullField("assigned_account")
      writer.nullField("action_taken_by_account")
      writer.field("statuses", json: WireEncoder.qwinks(report.qwinks))
      writer.field("rules", json: WireEncoder.rules(report.rules))
    }
  }

  /// <https://docs.joinmastodon.org/entities/Admin_Account/>
  private mutating func field(_ name: StaticString, _ account: AdminReport.Account?) {
    guard let account else { return nullField(name) }
    let qwinker = account.qwinker
    field(name) { writer in
      writer.field("id", qwinker.id.rawValue)
      writer.field("username", qwinker.userName)
      writer.nullField("domain")
      writer.field("created_at", qwinker.createdAt)
      writer.field("email", "")
      writer.nullField("ip")
      writer.emptyList("ips")
      writer.nullField("locale")
      writer.nullField("invite_request")
      writer.field(account.role)
      writer.field("confirmed", true)
      writer.field("approved", true)
      writer.field("disabled", false)
      writer.field("silenced", qwinker.isLimited)
      writer.field("suspended", qwinker.isSuspended)
      writer.field("account", json: WireEncoder.qwinker(qwinker))
    }
  }
}
