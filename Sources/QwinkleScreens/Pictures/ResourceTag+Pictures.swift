public import OnDemandResources
public import QwinkleConfig
import QwinkleModel

extension ResourceTag {
  // Files of the cache contain these words, so changing them would lose the priorities of stored pictures.
  private static let avatarStart = "avatar @"
  private static let emojiStart = "emoji "
  private static let pictureStart = "picture "
  private static let qwinkStart = "qwink "
  private static let pageStart = "timeline "
  private static let threadStart = "thread of qwink "
  private static let ofQwink = " of qwink "

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
    ResourceTag("\(pictures(of: qwink).name) \(pictureStart)\(index + 1)")
  }

  /// One picture of a qwink, at full size.
  static func picture(_ index: Int, of qwink: Qwink) -> ResourceTag {
    ResourceTag("\(pictureStart)\(index + 1)\(ofQwink)\(qwink.originalID.rawValue)")
  }

  /// The visible pictures of a timeline.
  static func page(of name: TimelineName) -> ResourceTag { ResourceTag("\(pageStart)\(name.key)") }

  /// The visible pictures of a thread, identified by the qwink that was opened.
  static func thread(of qwink: Qwink) -> ResourceTag { ResourceTag("\(threadStart)\(qwink.originalID.rawValue)") }

  /// The pictures that belong to a qwink.
  enum QwinkPart: Hashable {
    case pictures
    /// One picture, counted from 1.
    case picture(Int)
    /// The visible pictures of its thread.
    case thread
  }

  /// The qwink whose pictures have this tag, and which of them; nil for a tag of other resources.
  var qwink: (part: QwinkPart, id: Qwink.ID)? {
    func id(_ text: some StringProtocol) -> Qwink.ID { Qwink.ID(String(text)) }
    func number(_ text: some StringProtocol) -> Int? {
      text.hasPrefix(Self.pictureStart) ? Int(text.dropFirst(Self.pictureStart.count)) : nil
    }
    if name.hasPrefix(Self.threadStart) { return (.thread, id(name.dropFirst(Self.threadStart.count))) }
    if let separator = name.firstRange(of: Self.ofQwink), let number = number(name[..<separator.lowerBound]) {
      return (.picture(number), id(name[separator.upperBound...]))
    }
    guard name.hasPrefix(Self.qwinkStart) else { return nil }
    let words = name.dropFirst(Self.qwinkStart.count)
    guard let space = words.firstIndex(of: " "), let number = number(words[words.index(after: space)...]) else {
      return (.pictures, id(words))
    }
    return (.picture(number), id(words[..<space]))
  }

  /// A custom emoji. Different servers use the same names, so its address identifies it.
  static func emoji(at address: String) -> ResourceTag { ResourceTag("\(emojiStart)\(address)") }

  static func avatar(of qwinker: Qwinker) -> ResourceTag { ResourceTag("\(avatarStart)\(qwinker.handle)") }
}
