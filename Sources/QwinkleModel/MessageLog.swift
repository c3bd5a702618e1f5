import FoundationEssentials

/// The known messages of one conversation, oldest first. A server returns them in several requests, as threads, which
/// are trees. The log is a linear chat: sorted by time and then by the server's order, except that a reply always
/// follows its parent.
public struct MessageLog: Sendable {
  public private(set) var messages: [Qwink] = []

  public init(_ messages: [Qwink] = []) {
    merge(messages)
  }

  public func contains(_ id: Qwink.ID) -> Bool { messages.contains { $0.id == id } }

  /// Merges new messages and newer states of known messages. Returns the new and the changed messages.
  @discardableResult
  public mutating func merge(_ brought: [Qwink]) -> [Qwink] {
    var states = Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0) })
    var different: [Qwink] = []
    for qwink in brought where states[qwink.id] != qwink {
      states[qwink.id] = qwink
      different.append(qwink)
    }
    // A single unchanged message gives no information about the order.
    guard !different.isEmpty || brought.count > 1 else { return [] }
    // Splicing preserves the server's order for messages of the same second. `damagedCount` marks the page as
    // incomplete: any message may be missing from it.
    let splice = PageSplice(
      Page(items: brought, damagedCount: max(1, messages.count)), over: messages.map { .item($0) }, hasMore: false)
    messages = Self.inOrder(splice.allRows.compactMap { $0.item.flatMap { states[$0.id] } })
    return different
  }

  /// Removes deleted messages: messages that are linked to `thread` by replies but are missing from it. The thread must
  /// be complete. Only messages in `known`, which the log had before the thread was requested, are removed.
  ///
  /// - Returns: The ids of the removed messages.
  public mutating func removeMissing(from thread: [Qwink], of known: Set<Qwink.ID>) -> [Qwink.ID] {
    let removed = missing(from: thread).intersection(known)
    messages.removeAll { removed.contains($0.id) }
    return Array(removed)
  }

  /// Replaces a message whose id has changed. If the log already has a message with the new id, removes the old message
  /// instead. Returns whether the log contained the old message.
  @discardableResult
  public mutating func replace(_ id: Qwink.ID, by newer: Qwink) -> Bool {
    guard let index = messages.firstIndex(where: { $0.id == id }),
      let replaced = messages[index].replaced(id, by: newer)
    else { return false }
    if messages.contains(where: { $0.id == replaced.id }) {
      messages.remove(at: index)
    } else {
      messages[index] = replaced
    }
    // Replies to the message must refer to its new id.
    for other in messages.indices where messages[other].inReplyTo == id { messages[other].inReplyTo = replaced.id }
    return true
  }

  /// Removes a message. Returns whether the log contained it.
  @discardableResult
  public mutating func remove(_ id: Qwink.ID) -> Bool {
    let count = messages.count
    messages.removeAll { $0.id == id }
    return messages.count < count
  }

  /// Returns the ids of messages that are linked to `thread` by replies in either direction but are missing from it.
  private func missing(from thread: [Qwink]) -> Set<Qwink.ID> {
    let there = Set(thread.map(\.id))
    var linked = there
    let wanted = Set(thread.compactMap(\.inReplyTo))
    var missing: Set<Qwink.ID> = []
    for message in messages where !there.contains(message.id) {
      let answersLinked = message.inReplyTo.map { linked.contains($0) } ?? false
      guard answersLinked || wanted.contains(message.id) else { continue }
      linked.insert(message.id)
      missing.insert(message.id)
    }
    return missing
  }

  private static func inOrder(_ messages: [Qwink]) -> [Qwink] {
    let byID = Dictionary(messages.map { ($0.id, $0) }) { first, _ in first }
    // The time by which each message is sorted: its own time, but never earlier than its parent's.
    var times: [Qwink.ID: Date] = [:]
    for message in messages {
      for next in way(to: message, among: byID, until: { times[$0] != nil }) {
        times[next.id] = max(next.createdAt, next.inReplyTo.flatMap { times[$0] } ?? next.createdAt)
      }
    }
    let byTime = messages.enumerated().sorted { first, second in
      let left = times[first.element.id] ?? first.element.createdAt
      let right = times[second.element.id] ?? second.element.createdAt
      return left == right ? first.offset < second.offset : left < right
    }
    var order: [Qwink] = []
    var placed: Set<Qwink.ID> = []
    for (_, message) in byTime {
      for next in way(to: message, among: byID, until: { placed.contains($0) }) {
        placed.insert(next.id)
        order.append(next)
      }
    }
    return order
  }

  /// Returns the chain of parents that ends with `message`, topmost first, excluding the first `known` parent and
  /// everything above it. Stops at cycles: two messages can claim to reply to each other.
  private static func way(
    to message: Qwink, among byID: [Qwink.ID: Qwink], until known: (Qwink.ID) -> Bool
  ) -> [Qwink] {
    var path: [Qwink] = []
    var onPath: Set<Qwink.ID> = []
    var current: Qwink? = message
    while let next = current, !known(next.id), onPath.insert(next.id).inserted {
      path.append(next)
      current = next.inReplyTo.flatMap { byID[$0] }
    }
    return path.reversed()
  }
}

extension Conversation {
  /// Whether a qwink belongs to this conversation: direct, with exactly the same participants. Its thread can also
  /// contain messages to only some of the participants. They belong to another conversation and must not be shown here.
  /// The conversation's last message always belongs to it. `me` is nil until the account has loaded. Until then, the
  /// qwink can have one more participant, who may be the user.
  public func holds(_ qwink: Qwink, me: Qwinker.ID?) -> Bool {
    guard qwink.visibility == .direct, qwink.booster == nil else { return false }
    if qwink.id == lastQwink?.id { return true }
    let others = Set(participants.map(\.id))
    let people = Set(qwink.mentions.map(\.id)).union([qwink.author.id])
    guard let me else { return people.isSuperset(of: others) && people.count <= others.count + 1 }
    return people.subtracting([me]) == others.subtracting([me])
  }
}
