import HTTPTypes
import LibC

/// The operator's choice of users who are allowed to use the Unix socket, by their groups.
public struct UnixAccess: Hashable, Sendable {
  /// If not empty, only members of these groups are allowed.
  private let allowed: Set<gid_t>
  /// Members of these groups aren't allowed, even if they are members of an allowed group.
  private let denied: Set<gid_t>

  /// Allows every user of the host.
  public init() { (allowed, denied) = ([], []) }

  init(allowed: Set<gid_t>, denied: Set<gid_t>) {
    self.allowed = allowed
    self.denied = denied
  }

  /// Creates rules from names of groups.
  ///
  /// - Throws: ``ServiceError/noSuchGroup(_:)``.
  public init(allowedGroups: [String], deniedGroups: [String]) throws(ServiceError) {
    self.init(allowed: try Self.ids(of: allowedGroups), denied: try Self.ids(of: deniedGroups))
  }

  /// Whether some users aren't allowed. Otherwise no lookup is needed.
  var hasRules: Bool { !allowed.isEmpty || !denied.isEmpty }

  /// Returns why a user isn't allowed to use the service, or nil if the user is allowed.
  func refusal(of uid: uid_t, _ lookup: UnixUser.Lookup) -> Refusal? {
    guard hasRules else { return nil }
    switch lookup {
    case .found(let user):
      let isAllowed = allowed.isEmpty || !allowed.isDisjoint(with: user.groups)
      return isAllowed && denied.isDisjoint(with: user.groups) ? nil : .notAllowedHere
    case .absent: return .absentUser(uid)
    // Letting the user in could let in a member of a denied group.
    case .failed: return .unknownUser
    }
  }

  private static func ids(of names: [String]) throws(ServiceError) -> Set<gid_t> {
    var ids: Set<gid_t> = []
    for name in names {
      guard let id = UnixUser.groupID(named: name) else { throw .noSuchGroup(name) }
      ids.insert(id)
    }
    return ids
  }
}

extension Refusal {
  static let notAllowedHere = Refusal(
    status: .forbidden,
    message: "The operator of this host has not allowed you to use this server. Ask them for access.")

  /// The kernel can't name the user, because the user and the server are in different user namespaces.
  static let noIdentity = Refusal(
    status: .forbidden,
    message: "This host has no user with your uid, so you have no account here. Use the server outside of containers.")

  /// A proxy's visitors would all act as the proxy's user.
  static let proxied = Refusal(
    status: .forbidden,
    message:
      "A proxy can't use the socket for its visitors: they would act as its user. Let it use the address of --bind.")

  static func absentUser(_ uid: uid_t) -> Refusal {
    Refusal(status: .forbidden, message: "This host has no user with the uid \(uid), so it has no account here.")
  }

  /// The host's user database didn't respond.
  static let unknownUser = Refusal(
    status: .serviceUnavailable, message: "The server can't read this host's users now. Try again in a few seconds.",
    headers: [.retryAfter: "5"])
}

extension ServiceRequest {
  private static let proxyFields = ["X-Forwarded-For", "Forwarded", "X-Real-IP"].compactMap { HTTPField.Name($0) }

  /// Whether a proxy has forwarded the request.
  var isFromProxy: Bool { Self.proxyFields.contains { headers[$0] != nil } }
}
