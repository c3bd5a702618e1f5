import OnDemandResources
import QwinkleModel

extension ResourceTag {
  private static let avatarStart = "avatar @"
  private static let pictureStart = "picture "
  private static let threadStart = "thread of qwink "

  /// How long one is kept beside others, from 0 to 1: avatars are small and seen again and again, pictures at full size
  /// are large and seen once.
  var preservationPriority: Double {
    name.hasPrefix(Self.avatarStart) ? 0.8 : name.hasPrefix(Self.pictureStart) ? 0.3 : 0.5
  }

  /// The pictures of a qwink, as lists show them.
  static func pictures(of qwink: Qwink) -> ResourceTag { ResourceTag("qwink \(qwink.originalID.rawValue)") }

  /// One of them, at full size.
  static func picture(_ index: Int, of qwink: Qwink) -> ResourceTag {
    ResourceTag("\(pictureStart)\(index + 1) of qwink \(qwink.originalID.rawValue)")
  }

  /// What is shown of a timeline.
  static func page(of name: TimelineName) -> ResourceTag { ResourceTag("timeline \(name.key)") }

  /// What is shown of a thread, by the qwink that was opened.
  static func thread(of qwink: Qwink) -> ResourceTag { ResourceTag("\(threadStart)\(qwink.originalID.rawValue)") }

  /// The qwink by which a thread was opened; nil if it is no tag of a thread.
  var threadID: Qwink.ID? {
    name.hasPrefix(Self.threadStart) ? Qwink.ID(String(name.dropFirst(Self.threadStart.count))) : nil
  }

  /// Somebody's avatar.
  static func avatar(of qwinker: Qwinker) -> ResourceTag { ResourceTag("\(avatarStart)\(qwinker.handle)") }
}
