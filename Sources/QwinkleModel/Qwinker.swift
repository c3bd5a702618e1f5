public import FoundationEssentials

/// A person or bot with an account. All text is sanitized by SafeText.
public struct Qwinker: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<Qwinker>

  public var id: ID
  /// The name without a server: `alice`.
  public var userName: String
  /// The handle on the user's server: `alice` for local accounts, `bob@example.org` for remote ones.
  public var handle: String
  /// The chosen name, or else the user name. Never empty.
  public var displayName: String
  /// The profile text.
  public var note: RichText
  /// The profile page on the web.
  public var url: String?
  public var avatarURL: String?
  /// The wide picture at the top of the profile.
  public var headerURL: String?
  /// The date of the latest post, possibly truncated to midnight UTC. Nil if the server doesn't report it.
  public var lastQwinkAt: Date?
  public var isBot: Bool
  /// Whether follow requests need the account's approval.
  public var isLocked: Bool
  /// The handle of the account that it has moved to, if any.
  public var movedTo: String?
  /// Whether the server has suspended the account, which empties its profile.
  public var isSuspended = false
  /// Whether the server limits the account, so that only its followers see its posts.
  public var isLimited = false
  public var traits: Traits = []
  /// When the user's mute of the account ends. Set only in the list of muted accounts. Nil if the mute has no end or
  /// the server doesn't report it.
  public var muteEndsAt: Date?
  public var createdAt: Date?
  public var followersCount: Int
  public var followingCount: Int
  public var qwinksCount: Int
  public var fields: [Field]
  /// The pictures of the `:name:`s in the display name and the profile.
  public var emoji: [CustomEmoji] = []

  /// Facts that are either true or unknown.
  public struct Traits: OptionSet, Hashable, Sendable {
    /// Boosts the posts that mention it, for its followers.
    public static let group = Traits(rawValue: 1)
    /// The account of a person who has died.
    public static let memorial = Traits(rawValue: 2)
    /// Others can't list its followers and follows.
    public static let hidesFollows = Traits(rawValue: 4)
    /// May be recommended, for example in the server's directory.
    public static let discoverable = Traits(rawValue: 8)
    /// Everyone may find its public posts by searching.
    public static let indexed = Traits(rawValue: 16)

    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// A line of the profile, such as "Site: example.org".
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
  /// Whether `name`, a handle without its leading `@`, refers to this account. It can be the account's handle on the
  /// user's server, or the user name with the host of the profile's URL.
  public func isCalled(_ name: String) -> Bool {
    let name = Handle.key(name)
    if name == Handle.key(handle) { return true }
    guard name.contains("@"), let host = url?.split(separator: "/").dropFirst().first else { return false }
    return name == Handle.key("\(userName)@\(host)")
  }

  /// Returns the handles by which other servers know the account, in lower case: `bob@example.org`. Returns two handles
  /// if the account's server uses different domains in handles and in URLs. `server` is the host for a handle that has
  /// none.
  public func fullHandles(on server: String?) -> Set<String> {
    let hosts = [handleHost ?? server, url?.split(separator: "/").dropFirst().first.map(String.init)]
    let name = (handle.split(separator: "@").first.map(String.init) ?? userName).lowercased()
    return Set(hosts.compactMap(\.self).map { "\(name)@\(Self.hostForm($0))" })
  }

  /// The host in the handle, normalized by ``hostForm(_:)``, or nil if the handle has none. Domain blocks refer to this
  /// host. The host of the profile's URL may differ and be shared with other servers.
  public var handleHost: String? {
    let parts = handle.split(separator: "@")
    return parts.count > 1 ? parts.last.map { Self.hostForm(String($0)) } : nil
  }

  /// Returns the normal form of a host: lower case and ASCII, without a port.
  public static func hostForm(_ host: String) -> String {
    let bare = String(withoutPort(host.lowercased()))
    return HostName(bare)?.ascii ?? bare
  }

  /// Removes the port, because handles in texts omit it. Only test servers have one.
  private static func withoutPort(_ name: String) -> Substring {
    guard let colon = name.lastIndex(of: ":"), name[name.index(after: colon)...].allSatisfy(\.isNumber) else {
      return name[...]
    }
    return name[..<colon]
  }
}
