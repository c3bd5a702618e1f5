public import FoundationEssentials

/// A person or bot with an account. All text has gone through SafeText.
public struct Qwinker: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<Qwinker>

  public var id: ID
  /// The name without a server: `alice`.
  public var userName: String
  /// The name as this server addresses it: `alice` for its own accounts, `bob@example.org` for others.
  public var handle: String
  /// The name they chose, or the user name if they chose none. Never empty.
  public var displayName: String
  /// Their profile text.
  public var note: RichText
  /// Their profile page on the web.
  public var url: String?
  public var avatarURL: String?
  /// The wide picture above their profile.
  public var headerURL: String?
  /// The day on which they last posted, at midnight in UTC or later; nil if the server doesn't say.
  public var lastQwinkAt: Date?
  public var isBot: Bool
  /// Whether they approve each follower.
  public var isLocked: Bool
  /// The handle of the account that they use now, if they have moved there.
  public var movedTo: String?
  /// Whether the server has suspended the account. Its profile is then empty.
  public var isSuspended = false
  /// Whether the server limits the account: only its followers see its posts.
  public var isLimited = false
  /// When the user's mute of it ends, in the list of mutes; nil if it doesn't, or if the server doesn't say.
  public var muteEndsAt: Date?
  public var createdAt: Date?
  public var followersCount: Int
  public var followingCount: Int
  public var qwinksCount: Int
  public var fields: [Field]

  /// A line of their profile, such as "Site: example.org".
  public struct Field: Hashable, Sendable {
    public var name: String
    public var value: RichText
    public var verifiedAt: Date?

    public init(name: String, value: RichText, verifiedAt: Date? = nil) {
      self.name = name
      self.value = value
      self.verifiedAt = verifiedAt
    }
  }

  public init(
    id: ID, userName: String, handle: String? = nil, displayName: String = "", note: RichText = RichText(),
    url: String? = nil, avatarURL: String? = nil, isBot: Bool = false, isLocked: Bool = false, movedTo: String? = nil,
    createdAt: Date? = nil, followersCount: Int = 0, followingCount: Int = 0, qwinksCount: Int = 0, fields: [Field] = []
  ) {
    self.id = id
    self.userName = userName
    self.handle = handle ?? userName
    self.displayName = displayName.isEmpty ? userName : displayName
    self.note = note
    self.url = url
    self.avatarURL = avatarURL
    self.isBot = isBot
    self.isLocked = isLocked
    self.movedTo = movedTo
    self.createdAt = createdAt
    self.followersCount = followersCount
    self.followingCount = followingCount
    self.qwinksCount = qwinksCount
    self.fields = fields
  }
}

extension Qwinker {
  /// Whether `name`, without its `@`, means them: as this server addresses them, or with the server's own name.
  public func isCalled(_ name: String) -> Bool {
    let name = Handle.key(name)
    if name == Handle.key(handle) { return true }
    guard name.contains("@"), let host = url?.split(separator: "/").dropFirst().first else { return false }
    return name == Handle.key("\(userName)@\(host)")
  }

  /// The names by which other servers know them, in lower case: `bob@example.org`. There are two if the server has
  /// another domain in handles than in addresses. `server` is the host of a qwinker whose handle has none.
  public func fullHandles(on server: String?) -> Set<String> {
    let hosts = [handleHost ?? server, url?.split(separator: "/").dropFirst().first.map(String.init)]
    let name = (handle.split(separator: "@").first.map(String.init) ?? userName).lowercased()
    return Set(hosts.compactMap(\.self).map { "\(name)@\(Self.hostForm($0))" })
  }

  /// The host in the handle, see ``hostForm(_:)``; nil if the handle has none. A block of a server means this host: the
  /// address of a profile may have another one, which other servers use too.
  public var handleHost: String? {
    let parts = handle.split(separator: "@")
    return parts.count > 1 ? parts.last.map { Self.hostForm(String($0)) } : nil
  }

  /// Returns one form for all spellings of a host: in lower case and ASCII, without a port.
  public static func hostForm(_ host: String) -> String {
    let bare = String(withoutPort(host.lowercased()))
    return HostName(bare)?.ascii ?? bare
  }

  /// Names in texts leave out the port, which a test server may have.
  private static func withoutPort(_ name: String) -> Substring {
    guard let colon = name.lastIndex(of: ":"), name[name.index(after: colon)...].allSatisfy(\.isNumber) else {
      return name[...]
    }
    return name[..<colon]
  }
}
