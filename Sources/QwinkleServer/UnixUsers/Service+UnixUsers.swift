import LibC

/// A user of this host whose account was suspended and then removed or released.
public struct BarredUnixUser: Hashable, Sendable {
  public var uid: UInt32
  /// The name of the former account.
  public var name: String
}

/// A user of this host sent a request and has no account yet.
struct NoUnixAccount: Error {
  var uid: uid_t
}

/// A token belongs to the account of a user of this host, whose groups have to be read first.
struct UnreadUnixUser: Error {
  var uid: uid_t
}

/// Accounts of the users of this host, who connect to the Unix socket.
extension Service {
  /// Runs `work` for a request. Throws if the request was sent by a user of this host who isn't allowed to use the
  /// service.
  ///
  /// If the request is the first one of a user, adds the user's account and runs `work` again. The same applies if
  /// `work` needs the groups of a token's user.
  func withUnixUser<Value>(
    of request: ServiceRequest, _ work: () async throws -> Value
  ) async throws -> Value {
    if let uid = request.unixUser { try await checkAccess(of: uid) }
    do {
      return try await work()
    } catch let missing as NoUnixAccount {
      try await addAccount(ofUnixUser: missing.uid, request)
      return try await work()
    } catch let unread as UnreadUnixUser {
      try await checkAccess(of: unread.uid)
      return try await work()
    }
  }

  /// Throws a ``Refusal`` if a user of this host isn't allowed to use the service.
  private func checkAccess(of uid: uid_t) async throws(Refusal) {
    if uid == UnixUser.overflow { throw .noIdentity }
    guard let access = terms.unixAccess, access.hasRules else { return }
    if let refusal = access.refusal(of: uid, await unixUsers.user(.uid(uid))) { throw refusal }
  }

  /// Whether the cached groups of a request's user allow it. False if a lookup is needed.
  func isAllowed(_ request: ServiceRequest) -> Bool {
    guard let uid = request.unixUser else { return true }
    if uid == UnixUser.overflow { return false }
    guard let access = terms.unixAccess, access.hasRules else { return true }
    return unixUsers.cached(.uid(uid)).map { access.refusal(of: uid, $0) == nil } ?? false
  }

  /// Throws a ``Refusal`` if a token's account belongs to a user of this host who isn't allowed to use the service.
  /// Throws ``UnreadUnixUser`` if a lookup is needed.
  func checkAccess(ofTokenOf account: Int64, _ transaction: Transaction) throws {
    guard let access = terms.unixAccess, access.hasRules, let uid = try transaction.unixUser(of: account) else {
      return
    }
    guard let lookup = unixUsers.cached(.uid(uid)) else { throw UnreadUnixUser(uid: uid) }
    if let refusal = access.refusal(of: uid, lookup) { throw refusal }
  }

  /// Returns whether a name is reserved for a user of this host: the service has a Unix socket, and the user can get an
  /// account with the name there.
  ///
  /// - Throws: ``Refusal`` if the user database doesn't respond.
  func isUnixUser(_ name: String) async throws(Refusal) -> Bool {
    guard terms.unixAccess != nil else { return false }
    switch await unixUsers.user(.name(name)) {
    case .found: return true
    case .absent: return false
    case .failed: throw .unknownUser
    }
  }

  /// Closes the streams of users of this host who are no longer allowed to use the service. If the user database
  /// doesn't respond, the streams stay open until the next call.
  func endRefusedStreams() async {
    guard let access = terms.unixAccess, access.hasRules else { return }
    let (credentials, connected) = (events.credentials, events.unixUsers)
    guard let owners = try? await readForStreams(BaseURLTemplate.placeholder, { try $0.unixUsers(of: credentials) })
    else { return }
    var refused: Set<uid_t> = []
    for uid in connected.union(owners.values) where uid != UnixUser.overflow {
      let lookup = await unixUsers.user(.uid(uid))
      if case .failed = lookup { continue }
      if access.refusal(of: uid, lookup) != nil { refused.insert(uid) }
    }
    if refused.isEmpty { return }
    events.end { listening in
      let owner = listening.credential.flatMap { owners[$0] }
      return [owner, listening.unixUser].contains { $0.map(refused.contains) == true }
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
  /// tokens stay. If the account is suspended, its uid stays barred, and a second call with the name lifts the bar.
  ///
  /// - Returns: Whether a uid stays barred.
  /// - Throws: ``ServiceError/noSuchName(_:)``, ``ServiceError/noUnixUser(_:)`` if the account has no uid, or an error
  ///   of ``open()``.
  @discardableResult
  public func releaseUnixUser(named name: String, by actor: AuditActor = .ofProcess) throws(ServiceError) -> Bool {
    try write { transaction in
      let lowered = name.lowercased()
      let account = try transaction.accountID(named: lowered)
      if let account, try transaction.releaseUnixUser(of: account) {
        try transaction.audit(.release, of: lowered, by: actor)
        return try transaction.isSuspended(account)
      }
      guard try transaction.liftBars(named: lowered) else {
        throw account == nil ? ServiceError.noSuchName(name) : ServiceError.noUnixUser(name)
      }
      try transaction.audit(.release, of: lowered, by: actor)
      return false
    }
  }

  /// Returns the users of this host who are barred and have no account, by uid. They are barred until
  /// ``setSuspension(of:to:reason:by:)`` or ``releaseUnixUser(named:by:)`` with the name.
  public func barredUsersWithoutAccount() throws(ServiceError) -> [BarredUnixUser] {
    try read { try $0.barredUsersWithoutAccount() }
  }
}
