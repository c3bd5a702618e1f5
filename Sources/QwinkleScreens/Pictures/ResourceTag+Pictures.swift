public import OnDemandResources
public import QwinkleConfig
import QwinkleModel

extension ResourceTag {
  private static let avatarStart = "avatar @"
  private static let emojiStart = "emoji "
  private static let pictureStart = "picture "
  private static let qwinkStart = "qwink "
  private static let pageStart = "timeline "
  private static let threadStart = "thread of qwink "

  /// The user's own avatar.
  static let ownAvatar = ResourceTag("own avatar")

  /// The kind of resources; nil for a tag of a later version of the program.
  var kind: ResourceKind? {
    if self == .ownAvatar { return .ownAvatar }
    if self == .page(of: .home) { return .home }
    if self == .page(of: .bookmarks) { return .bookmarks }
    let kinds: [(String, ResourceKind)] = [
      (Self.avatarStart, .avatars), (Self.emojiStart, .emoji), (Self.pictureStart, .pictures),
      (Self.qwinkStart, .posts), (Self.pageStart, .timelines), (Self.threadStart, .threads),
      ("\(ConfigKey.theme.name) ", .themes), ("\(ConfigKey.keymap.name) ", .themes),
    ]
    return kinds.first { name.hasPrefix($0.0) }?.1
  }

  /// Priority in the cache, from 0 to 1, as the user chose it for this kind of resources.
  public func priority(by preservation: Preservation) -> Double {
    kind.map { Double(preservation[$0]) / Double(Preservation.range.upperBound) } ?? 0.5
  }

  /// The pictures of a qwink, as shown in lists.
  static func pictures(of qwink: Qwink) -> ResourceTag { ResourceTag("\(qwinkStart)\(qwink.originalID.rawValue)") }

  /// One picture of a qwink next to others in the viewer. Its own tag, so that a picture that can't be fetched doesn't
  /// stop the others.
  static func thumbnail(_ index: Int, of qwink: Qwink) -> ResourceTag {
    ResourceTag("\(pictures(of: qwink).name) picture \(index + 1)")
  }

  /// One picture of a qwink, at full size.
  static func picture(_ index: Int, of qwink: Qwink) -> ResourceTag {
    ResourceTag("\(pictureStart)\(index + 1) of qwink \(qwink.originalID.rawValue)")
  }

  /// The visible pictures of a timeline.
  static func page(of name: TimelineName) -> ResourceTag { ResourceTag("\(pageStart)\(name.key)") }

  /// The visible pictures of a thread, identified by the qwink that was opened.
  static func thread(of qwink: Qwink) -> ResourceTag { ResourceTag("\(threadStart)\(qwink.originalID.rawValue)") }

  /// The id of the opened qwink if the tag is for the pictures of a thread; otherwise nil.
  var threadID: Qwink.ID? {
    name.hasPrefix(Self.threadStart) ? Qwink.ID(String(name.dropFirst(Self.threadStart.count))) : nil
  }

  /// A custom emoji. Different servers use the same names, so its address identifies it.
  static func emoji(at address: String) -> ResourceTag { ResourceTag("\(emojiStart)\(address)") }

  static func avatar(of qwinker: Qwinker) -> ResourceTag { ResourceTag("\(avatarStart)\(qwinker.handle)") }
}
