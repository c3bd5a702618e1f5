import HTTPTypes
import QwinkleModel
import QwinkleWire
import Testing

@testable import QwinkleServer

extension Harness {
  /// Adds an operator, and returns a token with all scopes of operators.
  func addOperator(_ name: String, _ role: OperatorRole = .moderator) throws -> String {
    _ = try service.addQwinker(named: name)
    try service.setRole(of: name, to: role)
    let id = try id(of: name)
    return try service.write {
      try $0.addToken(account: id, app: nil, scopes: Scopes("read write follow admin:read admin:write"))
    }
  }

  /// Reports an account and returns the report's id.
  @concurrent @discardableResult
  func report(
    _ name: String, _ posts: [Qwink.ID] = [], comment: String = "", category: String = "spam", token: String
  ) async throws -> String {
    let fields = [("account_id", "\(try id(of: name))"), ("comment", comment), ("category", category)]
    let answer = try await submit(
      "/api/v1/reports", fields + posts.map { ("status_ids[]", $0.rawValue) }, token: token)
    return try #require(answer.object["id"] as? String, "\(answer.text)")
  }

  @concurrent
  func notifications(_ query: String = "", token: String) async throws -> [AccountNotification] {
    let answer = try await get("/api/v1/notifications\(query)", token: token)
    try #require(answer.head.status == .ok, "\(answer.text)")
    return try WireDecoder.notifications(from: answer.body, link: nil).items
  }
}
