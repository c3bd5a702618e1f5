import HTTPTypes
import QwinkleWire

/// Reports of accounts and posts. The operator reads them with `qwinkle serve reports`.
enum ReportHandlers {
  static let routes = [Route(.post, "/api/v1/reports", .required, report)]

  private enum Category: String, CaseIterable {
    case spam, legal, violation, other
  }

  private static let mostCommentCharacters = 1000
  private static let mostStatuses = 40

  private static func report(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let sent = try request.parameters().refuseOthers(
      than: ["account_id", "status_ids", "comment", "category", "rule_ids"], unless: ["forward": FlagWords.no])
    guard let account = try sent.id("account_id") else { throw sent.fault("account_id", "is missing") }
    let target = try transaction.qwinker(account)
    let statuses = try sent.ids("status_ids")
    guard statuses.count <= mostStatuses else { throw Refusal.invalid("Report at most \(mostStatuses) posts at once.") }
    for status in statuses {
      guard try transaction.target(status).account == account else {
        throw sent.fault("status_ids", "must be posts of that account")
      }
    }
    let comment = (try sent.text("comment") ?? "").filter { $0 != "\0" }
    guard comment.count <= mostCommentCharacters, comment.utf8.count <= 4 * mostCommentCharacters else {
      throw Refusal.invalid("The comment is too long: the limit is \(mostCommentCharacters) characters.")
    }
    let rules = try sent.ids("rule_ids")
    let texts = try rules.map { id in
      guard let text = try transaction.rule(id) else {
        throw sent.fault("rule_ids", "must be IDs of this server's rules")
      }
      return text
    }
    let category: Category = try sent.choice("category") ?? (rules.isEmpty ? .other : .violation)
    guard rules.isEmpty || category == .violation else {
      throw sent.fault("rule_ids", "needs the category violation")
    }
    let id = try transaction.addReport(
      of: account, statuses, comment: comment, category: category.rawValue, rules: texts)
    let createdAt = transaction.now
    // <https://docs.joinmastodon.org/entities/Report/>
    return ServiceResponse {
      $0.object { writer in
        writer.field("action_taken", false)
        writer.field("category", category.rawValue)
        writer.field("comment", comment)
        writer.field("created_at", createdAt)
        writer.field("forwarded", false)
        writer.field("id", String(id))
        writer.field("rule_ids", rules.map { String($0) })
        writer.field("status_ids", statuses.map { String($0) })
        writer.field("target_account", json: WireEncoder.qwinker(target))
      }
    }
  }
}
