import OnDemandResources
import QwinkleModel

extension ResourceTag {
  private static let avatarStart = "avatar @"
  private static let emojiStart = "emoji "
  private static let pictureStart = "picture "
  private static let threadStart = "thread of qwink "

  /// Priority in the cache, from 0 to 1. Avatars are small and shown repeatedly. Pictures at full size are large and
  /// shown once.
  var preservationPriority: Double {
    name.hasPrefix(Self.avatarStart) || name.hasPrefix(Self.emojiStart)
      ? 0.8 : name.hasPrefix(Self.pictureStart) ? 0.3 : 0.5
  }

  /// The pictures of a qwink, as shown in lists.
  static func pictures(of qwink: Qwink) -> ResourceTag { ResourceTag("qwink \(qwink.originalID.rawValue)") }

  /// One picture of a qwink, at full size.
  static func picture(_ index: Int, of qwink: Qwink) -> ResourceTag {
    ResourceTag("\(pictureStart)\(index + 1) of qwink \(qwink.originalID.rawValue)")
  }

  /// The visible pictures of a timeline.
  static func page(of name: TimelineName) -> ResourceTag { ResourceTag("timeline \(name.key)") }

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
