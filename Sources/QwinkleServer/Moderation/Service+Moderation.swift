public import QwinkleModel

/// Moderation for the operator. These calls block. Each throws an error of ``open()``, or
/// ``ServiceError/longText(most:)`` for a text of more than 1,000 characters. Texts lose control characters and line
/// breaks.
extension Service {
  /// Suspends a user or ends the suspension. A suspended user and their posts are hidden from everyone, and their
  /// tokens are refused. Nothing is deleted. A suspended user of this host is barred, even if the account is removed or
  /// released, until the suspension is ended with the account's name.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``.
  public func setSuspension(
    of name: String, to isSuspended: Bool, reason: String = "", by actor: AuditActor = .ofProcess
  ) throws(ServiceError) {
    let reason = try ModerationText.line(reason)
    try write { transaction in
      if !isSuspended, try transaction.unbar(name.lowercased(), reason: reason, by: actor) { return }
      try transaction.suspend(Self.knownAccount(name, transaction), isSuspended, reason: reason, by: actor)
    }
  }

  /// Limits a user or ends the limit. Users who don't follow a limited user find their posts only on their profile and
  /// in threads, and get no notifications from them. The limited user is notified, with the reason.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``.
  public func setLimit(
    of name: String, to isLimited: Bool, reason: String = "", by actor: AuditActor = .ofProcess
  ) throws(ServiceError) {
    let reason = try ModerationText.line(reason)
    try write { try $0.limit(Self.knownAccount(name, $0), isLimited, reason: reason, by: actor) }
  }

  /// Deletes a user's post with its pictures. The author is notified, with the reason.
  ///
  /// - Throws: ``ServiceError/noSuchPost(_:)``.
  public func deletePost(
    _ id: String, reason: String = "", by actor: AuditActor = .ofProcess
  ) throws(ServiceError) {
    let reason = try ModerationText.line(reason)
    guard let number = Int64(id) else { throw .noSuchPost(id) }
    try write { try $0.deletePost(number, reason: reason, by: actor) }
  }

  /// Sets a user's role. Moderators and admins are operators.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``.
  public func setRole(
    of name: String, to role: OperatorRole, by actor: AuditActor = .ofProcess
  ) throws(ServiceError) {
    try write { transaction in
      let account = try Self.knownAccount(name, transaction)
      guard try transaction.role(of: account) != role else { return }
      try transaction.setRole(of: account, to: role)
      try transaction.audit(.setRole, of: transaction.name(of: account), role.rawValue, by: actor)
    }
  }

  // MARK: Rules

  /// Returns the stored rules. The option `--rules` of a running server replaces them.
  public func storedRules() throws(ServiceError) -> [ServerRule] { try write { try $0.storedRules() } }

  /// Adds a rule and returns its id.
  ///
  /// - Throws: ``ServiceError/emptyRule`` or ``ServiceError/tooManyRules(most:)``.
  public func addRule(_ text: String, by actor: AuditActor = .ofProcess) throws(ServiceError) -> String {
    let text = try Self.rule(text)
    return try write { try $0.addRule(text, by: actor) }
  }

  /// Changes the text of a rule.
  ///
  /// - Throws: ``ServiceError/noSuchRule(_:)`` or ``ServiceError/emptyRule``.
  public func editRule(_ id: String, to text: String, by actor: AuditActor = .ofProcess) throws(ServiceError) {
    let text = try Self.rule(text)
    try write { try $0.changeRule(id, to: text, by: actor) }
  }

  /// Removes a rule. Reports that cite it keep its text.
  ///
  /// - Throws: ``ServiceError/noSuchRule(_:)``.
  public func removeRule(_ id: String, by actor: AuditActor = .ofProcess) throws(ServiceError) {
    try write { try $0.changeRule(id, to: nil, by: actor) }
  }

  private static func rule(_ text: String) throws(ServiceError) -> String {
    let text = try ModerationText.line(text)
    if text.isEmpty { throw .emptyRule }
    return text
  }
}
