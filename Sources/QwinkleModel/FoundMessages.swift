/// The private messages of a server that does not list conversations, as far as they are found among qwinks. A value;
/// pure.
///
/// Some of these servers give direct qwinks and those for followers one name (`private`). Then those count that name
/// whoever reads, or that they wrote and that name somebody; nobody can say which of the two they are. Some tell the
/// reader's own name nowhere but in the text, and those of others without their ids.
public struct FoundMessages: Sendable {
  private var qwinks: [Qwink.ID: Qwink] = [:]
  /// Those of which a notification says that they name the reader.
  private var naming: Set<Qwink.ID> = []
  /// Those that were sent from here as direct ones, whatever the server calls them.
  private var sent: Set<Qwink.ID> = []
  /// Who is known, by handle in lower case.
  private var people: [String: Qwinker] = [:]

  public init() {}

  public var isEmpty: Bool { qwinks.isEmpty }

  /// Takes in qwinks; those that are not private say who people are. `isNaming` says that they name the reader.
  public mutating func take(_ brought: [Qwink], isNaming: Bool = false) {
    for qwink in brought {
      take(qwink.author)
      if let booster = qwink.booster { take(booster) }
      guard qwink.booster == nil, [.direct, .private].contains(qwink.visibility) else { continue }
      qwinks[qwink.id] = qwink
      if isNaming { naming.insert(qwink.id) }
    }
  }

  /// Takes in what was sent from here as a direct one.
  public mutating func takeSent(_ qwink: Qwink) {
    take([qwink])
    sent.insert(qwink.id)
  }

  /// Takes in who somebody is.
  public mutating func take(_ qwinker: Qwinker) {
    people[qwinker.handle.lowercased()] = qwinker
  }

  /// Forgets a qwink that is gone.
  public mutating func remove(_ id: Qwink.ID) {
    qwinks[id] = nil
  }

  /// Whether the server has called anything direct: then what it calls private is for followers.
  public var tellsDirect: Bool { qwinks.values.contains { $0.visibility == .direct && !$0.isAudienceUnclear } }

  /// Those who are named and of whom nothing else is known, by handle.
  public func strangers(me: Qwinker) -> Set<String> {
    let named = messages(me: me).flatMap(\.mentions).map { $0.handle.lowercased() }
    return Set(named).filter { !$0.isEmpty && people[$0] == nil && !me.isCalled($0) }
  }

  /// A qwink as a private message, with the ids of those it names; nil where it is none.
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

  /// The conversations, the newest first, none of them unread.
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

  /// Whether it names whoever reads, or is theirs and names somebody.
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

  /// The names that stand in a text as links.
  private func namedInText(_ qwink: Qwink) -> [Qwink.Mention] {
    qwink.text.paragraphs.flatMap(\.spans).compactMap { span in
      guard case .mention(let url) = span.kind else { return nil }
      let handle = String(span.text.drop { $0 == "@" })
      return Qwink.Mention(id: "", userName: String(handle.prefix { $0 != "@" }), handle: handle, url: url)
    }
  }

  /// With each mention once, by the ids that accounts have; the reader's own among them where it is named.
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

  /// Whether it is made of messages that were found, as the server does not list conversations.
  public var isFound: Bool { id.rawValue.hasPrefix(Self.foundPrefix) }

  /// Whether `first` stands above `second` in a list.
  static func isNewer(_ first: Conversation, than second: Conversation) -> Bool {
    guard let one = first.lastQwink?.createdAt else { return false }
    guard let other = second.lastQwink?.createdAt else { return true }
    return one == other ? first.id.rawValue < second.id.rawValue : one > other
  }

  /// `found` and those that were kept before and are not among them, the newest first.
  public static func merged(_ found: [Conversation], kept: [Conversation]) -> [Conversation] {
    let known = Dictionary(kept.map { ($0.id, $0) }) { first, _ in first }
    let ids = Set(found.map(\.id))
    let newer = found.map { conversation in
      guard let old = known[conversation.id], isNewer(old, than: conversation),
        old.lastQwink?.id != conversation.lastQwink?.id
      else { return conversation }
      return old
    }
    return (newer + kept.filter { $0.isFound && !ids.contains($0.id) }).sorted(by: isNewer)
  }
}

extension Identifier<Conversation> {
  /// Of the found conversation with these people.
  fileprivate init(foundWith people: [Qwinker]) {
    self.init("with " + people.map { $0.handle.lowercased() }.sorted().joined(separator: " "))
  }
}
