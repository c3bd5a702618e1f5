/// Account administration. These calls block. Hashing a password takes a noticeable fraction of a second.
extension Service {
  /// Checks that the name is valid and not taken.
  ///
  /// - Throws: ``ServiceError/badName(_:)``, ``ServiceError/nameTaken(_:)``, or an error of ``open()``.
  public func checkFree(_ name: String) throws(ServiceError) {
    _ = try write { try Self.freeName(name, $0) }
  }

  /// Adds an account and returns its bearer token. The token can't be retrieved again, because only its hash is stored.
  /// Without a password, the user can't sign in and can only use the token.
  ///
  /// - Throws: ``ServiceError/badName(_:)``, ``ServiceError/nameTaken(_:)``, ``ServiceError/badPassword(_:)``, or an
  ///   error of ``open()``.
  public func addQwinker(
    named name: String, password: String? = nil, by actor: AuditActor = .ofProcess
  ) throws(ServiceError) -> String {
    let hash = try hash(of: password)
    return try write { transaction in
      let free = try Self.freeName(name, transaction)
      let id = try transaction.addAccount(name: free, displayName: name)
      try transaction.audit(.addUser, of: free, by: actor)
      try transaction.setPasswordHash(hash, of: id)
      return try transaction.addToken(account: id, app: nil, scopes: .whole)
    }
  }

  /// Checks that an account with this name exists.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, or an error of ``open()``.
  public func checkKnown(_ name: String) throws(ServiceError) {
    _ = try write { try Self.knownAccount(name, $0) }
  }

  /// Changes an account's password. Nil removes it, so that the user can't sign in. Existing tokens stay valid unless
  /// `endingTokens` is true.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, ``ServiceError/badPassword(_:)``, or an error of ``open()``.
  public func setPassword(
    _ password: String?, of name: String, endingTokens: Bool = false, by actor: AuditActor = .ofProcess
  ) throws(ServiceError) {
    let hash = try hash(of: password)
    try write { transaction in
      let account = try Self.knownAccount(name, transaction)
      if try hash != nil || transaction.passwordHash(of: account) != nil {
        try transaction.setPasswordHash(hash, of: account)
        try transaction.audit(.setPassword, of: transaction.name(of: account), by: actor)
      }
      if endingTokens, try transaction.deleteTokens(of: account) {
        try transaction.audit(.revokeTokens, of: transaction.name(of: account), by: actor)
      }
    }
  }

  private func hash(of password: String?) throws(ServiceError) -> String? {
    guard let password else { return nil }
    try PasswordRule.check(password)
    return try passwords.hash(of: password)
  }

  private static func freeName(_ name: String, _ transaction: Transaction) throws -> String {
    guard let valid = AccountName.valid(name) else { throw ServiceError.badName(name) }
    guard try transaction.accountID(named: valid) == nil else { throw ServiceError.nameTaken(valid) }
    return valid
  }

  static func knownAccount(_ name: String, _ transaction: Transaction) throws -> Int64 {
    guard let id = try transaction.accountID(named: name.lowercased()) else { throw ServiceError.noSuchName(name) }
    return id
  }
}
