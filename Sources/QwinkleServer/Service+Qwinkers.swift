/// What whoever runs the service does for those who use it. All of these are done at once; passwords take a noticeable
/// part of a second.
extension Service {
  /// Makes sure that a qwinker could be called that.
  ///
  /// - Throws: ``ServiceError/badName(_:)``, ``ServiceError/nameTaken(_:)``, or what ``open()`` throws.
  public func checkFree(_ name: String) throws(ServiceError) {
    _ = try write { try Self.freeName(name, $0) }
  }

  /// Makes a qwinker and returns their bearer token, which is stored only as a hash: it cannot be had again. Without a
  /// password they cannot sign in, only use their token.
  ///
  /// - Throws: ``ServiceError/badName(_:)``, ``ServiceError/nameTaken(_:)``, ``ServiceError/badPassword(_:)``, or what
  ///   ``open()`` throws.
  public func addQwinker(named name: String, password: String? = nil) throws(ServiceError) -> String {
    let hash = try hash(of: password)
    return try write { session in
      let id = try session.addAccount(name: try Self.freeName(name, session), displayName: name)
      try session.setPasswordHash(hash, of: id)
      return try session.addToken(account: id, app: nil, scopes: .whole)
    }
  }

  /// Makes sure that there is a qwinker of this name.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, or what ``open()`` throws.
  public func checkKnown(_ name: String) throws(ServiceError) {
    _ = try write { try Self.knownAccount(name, $0) }
  }

  /// Gives a qwinker another password; with nil they cannot sign in any more. Their tokens stay, unless
  /// `endingTokens` is set.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, ``ServiceError/badPassword(_:)``, or what ``open()`` throws.
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

  private static func knownAccount(_ name: String, _ session: Session) throws -> Int64 {
    guard let id = try session.accountID(named: name.lowercased()) else { throw ServiceError.noSuchName(name) }
    return id
  }
}
