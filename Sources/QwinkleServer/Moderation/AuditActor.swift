import LibC

/// The person who performed an action of the audit log.
public struct AuditActor: Hashable, Sendable {
  /// The name of the Unix user, or of the operator's account.
  public var name: String
  /// The real uid of the process that ran the command. Nil if an operator used the API.
  public var uid: Int?
  /// The user who ran `sudo`, if the real uid is 0. This is a hint, not proof: root can set the variables to any value.
  public var sudo: Sudo?

  public struct Sudo: Hashable, Sendable {
    public var uid: Int
    public var name: String
  }

  /// The name, with the user who ran `sudo`, if known.
  public var words: String { sudo.map { "\(name) (sudo by \($0.name))" } ?? name }

  public init(name: String, uid: Int? = nil, sudo: Sudo? = nil) {
    self.name = name
    self.uid = uid
    self.sudo = sudo
  }

  /// - Parameters:
  ///   - sudoUID: The value of the environment variable `SUDO_UID`, which counts only for root.
  ///   - userName: Returns the name of the user with a uid, if any.
  init(uid: Int, sudoUID: String?, userName: (Int) -> String?) {
    self.init(name: userName(uid) ?? "uid \(uid)", uid: uid)
    if uid == 0, let sudo = sudoUID.flatMap({ Int($0) }), (1...Int(UInt32.max)).contains(sudo) {
      self.sudo = Sudo(uid: sudo, name: userName(sudo) ?? "uid \(sudo)")
    }
  }

  /// The user who runs this process.
  public static var ofProcess: AuditActor {
    AuditActor(
      uid: Int(getuid()), sudoUID: getenv("SUDO_UID").map { String(cString: $0) }, userName: Self.userName)
  }

  private static func userName(ofUID uid: Int) -> String? {
    guard let uid = uid_t(exactly: uid), case .found(let user) = UnixUser.find(.uid(uid)) else { return nil }
    return user.name
  }
}
