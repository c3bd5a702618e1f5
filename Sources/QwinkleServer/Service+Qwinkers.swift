/// Account administration. These calls block; hashing a password takes a noticeable fraction of a second.
extension Service {
  /// Checks that a new qwinker could have this name.
  ///
  /// - Throws: ``ServiceError/badName(_:)``, ``ServiceError/nameTaken(_:)``, or an error of ``open()``.
  public func checkFree(_ name: String) throws(ServiceError) {
    _ = try write { try Self.freeName(name, $0) }
  }

  /// Adds a qwinker and returns their bearer token, which can't be retrieved again: only its hash is stored. Without a
  /// password they can't sign in, only use the token.
  ///
  /// - Throws: ``ServiceError/badName(_:)``, ``ServiceError/nameTaken(_:)``, ``ServiceError/badPassword(_:)``, or an
  ///   error of ``open()``.
  public func addQwinker(named name: String, password: String? = nil) throws(ServiceError) -> String {
    let hash = try hash(of: password)
    return try write { session in
      let id = try session.addAccount(name: try Self.freeName(name, session), displayName: name)
      try session.setPasswordHash(hash, of: id)
      return try session.addToken(account: id, app: nil, scopes: .whole)
    }
  }

  /// Checks that a qwinker with this name exists.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, or an error of ``open()``.
  public func checkKnown(_ name: String) throws(ServiceError) {
    _ = try write { try Self.knownAccount(name, $0) }
  }

  /// Changes a qwinker's password; nil removes it, so that they can't sign in. Their tokens stay valid unless
  /// `endingTokens` is set.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, ``ServiceError/badPassword(_:)``, or an error of ``open()``.
  public func setPassword(_ password: String?, of name: String, endingTokens: Bool = false) throws(ServiceError) {
    let hash = try hash(of: password)
    try write { session in
      let account = try Self.knownAccount(name, session)
      try session.setPasswordHash(hash, of: account)
      if endingTokens { try session.deleteTokens(of: account) }
    }
  }

  private func hash(of password: String?) throws(ServiceError) -> String? {
    guard let password else { return nil }
    try PasswordRule.check(password)
    return try passwords.hash(of: password)
  }

  private static func freeName(_ name: String, _ session: Session) throws -> String {
    guard let valid = AccountName.valid(name) else { throw ServiceError.badName(name) }
    guard try session.accountID(named: valid) == nil else { throw ServiceError.nameTaken(valid) }
    return valid
  }

  static func knownAccount(_ name: String, _ session: Session) throws -> Int64 {
    guard let id = try session.accountID(named: name.lowercased()) else { throw ServiceError.noSuchName(name) }
    return id
  }
}
