/// The private messages found among qwinks, for servers that don't list conversations.
///
/// Some of these servers report both direct and followers-only qwinks as `private`. A `private` qwink counts as a
/// message if it mentions the user, or if the user wrote it and mentions another account. Its real visibility remains
/// unknown. Some servers mention the user only in the text, and some send mentions without ids.
public struct FoundMessages: Sendable {
  private var qwinks: [Qwink.ID: Qwink] = [:]
  /// Qwinks that mention the user according to a notification.
  private var naming: Set<Qwink.ID> = []
  /// Direct messages sent by this program, regardless of the visibility that the server reports.
  private var sent: Set<Qwink.ID> = []
  /// Known qwinkers, by lower-case handle.
  private var people: [String: Qwinker] = [:]

  public init() {}

  /// Adds the direct and followers-only qwinks in `brought`, and the authors and boosters of all its qwinks. `isNaming`
  /// is true for qwinks in notifications of type ``AccountNotification/Kind/mention``.
  public mutating func take(_ brought: [Qwink], isNaming: Bool = false) {
    for qwink in brought {
      take(qwink.author)
      if let booster = qwink.booster { take(booster) }
      guard qwink.booster == nil, [.direct, .private].contains(qwink.visibility) else { continue }
      qwinks[qwink.id] = qwink
      if isNaming { naming.insert(qwink.id) }
    }
  }

  /// Adds a direct message sent by this program.
  public mutating func takeSent(_ qwink: Qwink) {
    take([qwink])
    sent.insert(qwink.id)
  }

  /// Adds a known qwinker.
  public mutating func take(_ qwinker: Qwinker) {
    people[qwinker.handle.lowercased()] = qwinker
  }

  /// Removes a deleted qwink.
  public mutating func remove(_ id: Qwink.ID) {
    qwinks[id] = nil
  }

  /// Whether the server has reported a qwink as direct. If so, it distinguishes direct from followers-only qwinks, and
  /// its `private` qwinks are for followers.
  public var tellsDirect: Bool { qwinks.values.contains { $0.visibility == .direct && !$0.isAudienceUnclear } }

  /// Returns the lower-case handles of accounts that messages mention and that aren't known yet, except the user's own.
  public func strangers(me: Qwinker) -> Set<String> {
    let named = messages(me: me).flatMap(\.mentions).map { $0.handle.lowercased() }
    return Set(named).filter { !$0.isEmpty && people[$0] == nil && !me.isCalled($0) }
  }

  /// Returns the qwink as a private message, with direct visibility and the ids of the mentioned accounts. Returns nil
  /// if it isn't a private message.
  public func message(_ qwink: Qwink, me: Qwinker) -> Qwink? {
    guard qwink.booster == nil else { return nil }
    switch qwink.visibility {
    case .direct:
      return resolved(qwink, me: me)
    case .private where sent.contains(qwink.id):
      var message = resolved(qwink, me: me)
      message.visibility = .direct
      return message
    case .private where !tellsDirect && isAddressed(qwink, me: me):
      var message = resolved(qwink, me: me)
      message.visibility = .direct
      message.isAudienceUnclear = true
      return message
    default:
      return nil
    }
  }

  /// Returns the conversations, newest first. None is marked unread.
  public func conversations(me: Qwinker) -> [Conversation] {
    var groups: [Conversation.ID: Conversation] = [:]
    for message in messages(me: me) {
      let participants = participants(of: message, me: me)
      let id = Conversation.ID(foundWith: participants)
      let last = groups[id]?.lastQwink
      if let last, (last.createdAt, last.id.rawValue) > (message.createdAt, message.id.rawValue) { continue }
      groups[id] = Conversation(id: id, participants: participants, lastQwink: message)
    }
    return groups.values.sorted(by: Conversation.isNewer)
  }

  private func messages(me: Qwinker) -> [Qwink] { qwinks.values.compactMap { message($0, me: me) } }

  private func participants(of message: Qwink, me: Qwinker) -> [Qwinker] {
    var seen: Set<Qwinker.ID> = [me.id]
    let named = message.mentions.map { mention in
      people[mention.handle.lowercased()]
        ?? Qwinker(id: mention.id, userName: mention.userName, handle: mention.handle, url: mention.url)
    }
    return ([message.author] + named).filter { seen.insert($0.id).inserted }
  }

  /// Whether the qwink mentions the user, or is by the user and mentions another account.
  private func isAddressed(_ qwink: Qwink, me: Qwinker) -> Bool {
    qwink.author.id == me.id
      ? qwink.mentions.contains { !isMe($0, me) } || !namedInText(qwink).allSatisfy { isMe($0, me) }
      : namesMe(qwink, me)
  }

  private func namesMe(_ qwink: Qwink, _ me: Qwinker) -> Bool {
    naming.contains(qwink.id) || qwink.mentions.contains { isMe($0, me) }
      || namedInText(qwink).contains { isMe($0, me) }
  }

  private func isMe(_ mention: Qwink.Mention, _ me: Qwinker) -> Bool {
    me.isCalled(mention.handle) || (mention.url != nil && mention.url == me.url)
  }

  /// The mentions linked in the text.
  private func namedInText(_ qwink: Qwink) -> [Qwink.Mention] {
    qwink.text.paragraphs.flatMap(\.spans).compactMap { span in
      guard case .mention(let url) = span.kind else { return nil }
      let handle = String(span.text.drop { $0 == "@" })
      return Qwink.Mention(id: "", userName: String(handle.prefix { $0 != "@" }), handle: handle, url: url)
    }
  }

  /// Returns the qwink with each account mentioned only once, and with the mentioned accounts' ids if known. If another
  /// author mentions the user, the mention of the user is first.
  private func resolved(_ qwink: Qwink, me: Qwinker) -> Qwink {
    var qwink = qwink
    var seen: Set<String> = []
    let own = Qwink.Mention(id: me.id, userName: me.userName, handle: me.handle, url: me.url)
    let isNamed = qwink.author.id != me.id && namesMe(qwink, me)
    qwink.mentions = ((isNamed ? [own] : []) + qwink.mentions).compactMap { mention in
      let isMe = isMe(mention, me)
      let key = isMe ? me.handle.lowercased() : mention.handle.lowercased()
      guard seen.insert(key).inserted else { return nil }
      var resolved = mention
      resolved.id = isMe ? me.id : people[key]?.id ?? Qwinker.ID("@" + key)
      return resolved
    }
    return qwink
  }
}

extension Conversation {
  private static let foundPrefix = "with "

  /// Whether the conversation was created from found messages, because the server doesn't list conversations.
  public var isFound: Bool { id.rawValue.hasPrefix(Self.foundPrefix) }

  /// Whether `first` is listed above `second`.
  static func isNewer(_ first: Conversation, than second: Conversation) -> Bool {
    guard let one = first.lastQwink?.createdAt else { return false }
    guard let other = second.lastQwink?.createdAt else { return true }
    return one == other ? first.id.rawValue < second.id.rawValue : one > other
  }

  /// Returns the conversations in `found` and all other found conversations in `cached`, newest first. If both have the
  /// same conversation, uses the version with the newer message.
  public static func merged(_ found: [Conversation], cached: [Conversation]) -> [Conversation] {
    let known = Dictionary(cached.map { ($0.id, $0) }) { first, _ in first }
    let ids = Set(found.map(\.id))
    let newer = found.map { conversation in
      guard let old = known[conversation.id], isNewer(old, than: conversation),
        old.lastQwink?.id != conversation.lastQwink?.id
      else { return conversation }
      return old
    }
    return (newer + cached.filter { $0.isFound && !ids.contains($0.id) }).sorted(by: isNewer)
  }
}

extension Identifier<Conversation> {
  /// Creates the id of the found conversation with these people.
  fileprivate init(foundWith people: [Qwinker]) {
    self.init("with " + people.map { $0.handle.lowercased() }.sorted().joined(separator: " "))
  }
}
