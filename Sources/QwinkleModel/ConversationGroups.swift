/// Merges conversations with the same participants, because servers start a new conversation for each thread.
public struct ConversationGroups: Sendable {
  /// One conversation for each set of participants, sorted by the newest conversation in each group. The id of a group
  /// is the smallest id of its conversations. A group is unread if any of its conversations is unread.
  public private(set) var items: [Conversation] = []
  private var members: [Conversation.ID: [Conversation]] = [:]
  private var groupIDs: [Conversation.ID: Conversation.ID] = [:]

  /// Groups `conversations`, which are sorted newest first.
  public init(_ conversations: [Conversation]) {
    var order: [Set<Qwinker.ID>] = []
    var groups: [Set<Qwinker.ID>: [Conversation]] = [:]
    for conversation in conversations {
      let people = Set(conversation.participants.map(\.id))
      if groups[people] == nil { order.append(people) }
      groups[people, default: []].append(conversation)
    }
    for people in order {
      guard let group = groups[people], let newest = group.first else { continue }
      var item = newest
      // Use the smallest id. If the server numbers conversations in order, that is the oldest conversation's id, which
      // doesn't change when a new thread starts.
      item.id = group.map(\.id).min(by: Self.isEarlier) ?? newest.id
      item.isUnread = group.contains(where: \.isUnread)
      item.lastQwink = group.compactMap(\.lastQwink).max { $0.createdAt < $1.createdAt }
      items.append(item)
      members[item.id] = group
      for conversation in group { groupIDs[conversation.id] = item.id }
    }
  }

  private static func isEarlier(_ first: Conversation.ID, _ second: Conversation.ID) -> Bool {
    (first.rawValue.utf8.count, first.rawValue) < (second.rawValue.utf8.count, second.rawValue)
  }

  /// Returns the group that contains the conversation `id`, or nil if the conversation is unknown. The returned group's
  /// id is `id`, not the id that it has in ``items``.
  public subscript(id: Conversation.ID) -> Conversation? {
    guard let groupID = groupIDs[id], var group = items.first(where: { $0.id == groupID }) else { return nil }
    group.id = id
    return group
  }

  /// Returns all conversations in the same group, including this one. Empty if the conversation is unknown.
  public func members(of id: Conversation.ID) -> [Conversation] {
    groupIDs[id].flatMap { members[$0] } ?? []
  }

  /// Returns the id of the group that contains a conversation, or nil if the conversation is unknown.
  public func id(of id: Conversation.ID) -> Conversation.ID? { groupIDs[id] }
}
