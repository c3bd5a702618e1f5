import LibC

/// A user of this host sent a request and has no account yet.
struct NoUnixAccount: Error {
  var uid: uid_t
}

/// Accounts of the users of this host, who connect to the Unix socket.
extension Service {
  /// Runs `work` for a request. If the request is the first one of a user of this host, adds the user's account and
  /// runs `work` again.
  func addingUnixUser<Value>(
    of request: ServiceRequest, _ work: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await work()
    } catch let missing as NoUnixAccount {
      try await addAccount(ofUnixUser: missing.uid, request)
      return try await work()
    }
  }

  private func addAccount(ofUnixUser uid: uid_t, _ request: ServiceRequest) async throws {
    let user: UnixUser
    switch await unixUsers.user(.uid(uid)) {
    case .found(let found): user = found
    case .absent: throw Refusal.absentUser(uid)
    case .failed: throw Refusal.unknownUser
    }
    try await write(request) { _ = try $0.addAccount(ofUnixUser: uid, named: user.name) }
  }

  /// Detaches a user's account from its user of this host, whose uid then gets another account. The account and its
  /// tokens stay.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, ``ServiceError/noUnixUser(_:)`` if the account has no uid, or an error
  ///   of ``open()``.
  public func releaseUnixUser(named name: String, by actor: AuditActor = .ofProcess) throws(ServiceError) {
    try write { transaction in
      let account = try Self.knownAccount(name, transaction)
      guard try transaction.releaseUnixUser(of: account) else { throw ServiceError.noUnixUser(name) }
      try transaction.audit(.release, of: transaction.name(of: account), by: actor)
    }
  }
}
