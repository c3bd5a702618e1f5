import GRDB
import HTTPTypes
import QwinkleModel

/// The stored numbers of quote policies.
enum QuotePolicyCode {
  private static let inOrder: [QuotePolicy] = [.public, .followers, .nobody]

  static func code(_ policy: QuotePolicy) -> Int64 { Int64(inOrder.firstIndex(of: policy) ?? 2) }

  /// Returns the policy with this code. Treats an unknown code as the narrowest policy.
  static func policy(_ code: Int64) -> QuotePolicy { (0..<2).contains(code) ? inOrder[Int(code)] : .nobody }
}

extension Transaction {
  // MARK: Reading

  /// Returns the state of a quote of each status, for the viewer. Omits statuses that don't exist. The state
  /// shows that the viewer blocks an author, but not that an author blocks the viewer.
  func quoteStates(ofQuoted ids: some Collection<Int64>) throws -> [Int64: Qwink.Quote.State] {
    guard !ids.isEmpty else { return [:] }
    let rows = try rows(
      literal: """
        SELECT s.id, \(visible), \(heard("s.account_id")),
          EXISTS (SELECT 1 FROM blocks b WHERE b.account_id = \(viewer) AND b.target_id = s.account_id)
        FROM statuses s WHERE s.id IN (SELECT value FROM json_each(\(jsonArray(ids))))
        """)
    return rows.byID.mapValues { row in
      let (isVisible, isHeard, isBlocked): (Bool, Bool, Bool) = (row[1], row[2], row[3])
      if isBlocked { return .blockedAccount }
      if !isVisible { return .unauthorized }
      return isHeard ? .accepted : .mutedAccount
    }
  }

  /// Returns a quote in the form that the viewer may see.
  ///
  /// - Parameters:
  ///   - states: The states of all quoted statuses.
  ///   - quoted: The quoted status. Nil for a quote within a quoted status, which contains only the id.
  func quote(
    of id: Int64, isRevoked: Bool, _ states: [Int64: Qwink.Quote.State], _ quoted: Qwink?
  ) -> Qwink.Quote {
    if isRevoked { return Qwink.Quote(id: nil, state: .revoked) }
    let state = states[id] ?? .deleted
    // The API's clients offer to show the post of a muted author, but not of others that are withheld.
    guard state == .accepted || state == .mutedAccount else { return Qwink.Quote(id: nil, state: state) }
    var quote = Qwink.Quote(id: Qwink.ID(String(id)), state: state)
    quote.whole = quoted.map { QuotedQwink($0) }
    return quote
  }

  /// Returns the rules for quotes of a status, and their effect on the viewer.
  ///
  /// - Parameter isFollowed: Whether the viewer follows the author.
  func quoteApproval(_ policy: Int64, _ visibility: Visibility, isOwn: Bool, isFollowed: Bool) -> QuoteApproval {
    let policy = visibility.hasQuotePolicy ? QuotePolicyCode.policy(policy) : .nobody
    let isAllowed =
      switch policy {
      case _ where isOwn: visibility != .direct
      case .public: viewer != nil
      case .followers: isFollowed
      case .nobody: false
      }
    return QuoteApproval(policy, effect: isAllowed ? .automatic : .denied)
  }

  // MARK: Writing

  /// Checks that the viewer may quote a status, and returns its id. Narrows the visibility of a post that quotes a
  /// followers-only status.
  func quote(_ id: String, in new: inout NewStatus) throws -> Int64 {
    guard let target = try visibleTarget(Int64(id)) else {
      throw Refusal.invalid("The post to quote was not found.")
    }
    let isOwn = target.account == viewer
    switch target.visibility {
    case .direct: throw Refusal(status: .forbidden, message: "Direct messages can't be quoted.")
    case .private where !isOwn:
      throw Refusal(status: .forbidden, message: "Only the author can quote a followers-only post.")
    case .private: if new.visibility.hasQuotePolicy { new.visibility = .private }
    case .public, .unlisted:
      let row = try row("SELECT quote_policy FROM statuses WHERE id = ?", [target.id])
      let isFollowed = try viewer.map { try follows(target.account, by: $0) } ?? false
      let approval = quoteApproval(row?[0] ?? 2, target.visibility, isOwn: isOwn, isFollowed: isFollowed)
      guard approval.effect == .automatic else {
        throw Refusal(status: .forbidden, message: "The author does not allow you to quote this post.")
      }
    }
    if new.visibility == .direct, !isOwn {
      let mentioned = try accounts(mentionedIn: new.source)
      guard mentioned.contains(target.account) else {
        throw Refusal.invalid("A direct post that quotes a user must mention that user.")
      }
    }
    return target.id
  }

  /// Notifies the quoted author of a new quote.
  func tellQuoted(_ quoted: Int64, by status: Int64, of account: Int64) throws {
    guard let author = try numbers("SELECT account_id FROM statuses WHERE id = ?", [quoted]).first else { return }
    try notify(author, of: .quote, by: account, status: status)
  }

  /// Notifies the authors of posts that quote a status that it was edited.
  func tellQuoting(_ id: Int64, by account: Int64) throws {
    let quoting = try rows(
      "SELECT id, account_id FROM statuses WHERE quoted_id = ? AND NOT quote_is_revoked ORDER BY id", [id])
    for row in quoting { try notify(row[1], of: .quotedEdit, by: account, status: row[0]) }
  }

  /// Changes who may quote one of the viewer's statuses. Quotes that exist stay.
  func setQuotePolicy(of id: Int64?, to policy: QuotePolicy) throws {
    guard let id,
      let row = try row(
        "SELECT visibility, quote_policy FROM statuses WHERE id = ? AND account_id = ? AND boost_of_id IS NULL",
        [id, me()])
    else { throw Refusal.notOwn }
    let code = QuotePolicyCode.code(VisibilityCode.visibility(row[0]).hasQuotePolicy ? policy : .nobody)
    guard code != row[1] else { return }
    try run("UPDATE statuses SET quote_policy = ? WHERE id = ?", [code, id])
    happened(.edited(id))
  }

  /// Removes one of the viewer's statuses from a status that quotes it, and returns the id of the quoting status.
  func revokeQuote(of id: Int64?, in quoting: Int64?) throws -> Int64 {
    let target = try target(id)
    let quoting = try self.target(quoting)
    guard target.account == viewer else {
      throw Refusal(status: .forbidden, message: "Only the author of the quoted post can revoke the quote.")
    }
    guard try row("SELECT 1 FROM statuses WHERE id = ? AND quoted_id = ?", [quoting.id, target.id]) != nil else {
      throw Refusal.notFound
    }
    try run("UPDATE statuses SET quote_is_revoked = 1 WHERE id = ? AND NOT quote_is_revoked", [quoting.id])
    if db.changesCount > 0 { happened(.edited(quoting.id)) }
    return quoting.id
  }
}
