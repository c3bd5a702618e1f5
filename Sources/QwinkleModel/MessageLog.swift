import FoundationEssentials

/// The known messages of one conversation, oldest first. They come in pieces, as threads, which are trees. A chat is a
/// line: by time, then by the server's order, but a reply always follows the message that it replies to.
public struct MessageLog: Sendable {
  public private(set) var messages: [Qwink] = []

  public init(_ messages: [Qwink] = []) {
    merge(messages)
  }

  public func contains(_ id: Qwink.ID) -> Bool { messages.contains { $0.id == id } }

  /// Merges messages or newer states of them. Returns those that are new or different.
  @discardableResult
  public mutating func merge(_ brought: [Qwink]) -> [Qwink] {
    var states = Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0) })
    var different: [Qwink] = []
    for qwink in brought where states[qwink.id] != qwink {
      states[qwink.id] = qwink
      different.append(qwink)
    }
    // A single unchanged message proves nothing about the order.
    guard !different.isEmpty || brought.count > 1 else { return [] }
    // Messages of the same second keep the order of the server's answer. Nothing is gone because an answer lacks it.
    let splice = PageSplice(Page(items: brought, damagedCount: 1), over: messages.map { .item($0) }, hasMore: false)
    messages = Self.inOrder(splice.allRows.compactMap { $0.item.flatMap { states[$0.id] } })
    return different
  }

  /// Removes deleted messages: those of `known` that hang on `thread` by replies and are not in it. The thread must be
  /// complete. Returns their ids.
  public mutating func removeMissing(from thread: [Qwink], of known: Set<Qwink.ID>) -> [Qwink.ID] {
    let removed = missing(from: thread).intersection(known)
    messages.removeAll { removed.contains($0.id) }
    return Array(removed)
  }

  /// Replaces a message that has another id now. Returns whether it was there.
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
    // Its replies refer to the new id.
    for other in messages.indices where messages[other].inReplyTo == id { messages[other].inReplyTo = replaced.id }
    return true
  }

  /// Removes a message. Returns whether it was there.
  @discardableResult
  public mutating func remove(_ id: Qwink.ID) -> Bool {
    let count = messages.count
    messages.removeAll { $0.id == id }
    return messages.count < count
  }

  /// Known messages that hang on `thread` by replies, up or down, and are not in it.
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
    // By its own time, but not before the message it replies to.
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

  /// `message` below those it replies to, directly or not, up to the first `known` one. Two messages may claim to reply
  /// to each other.
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
  /// Whether a qwink belongs to this conversation: direct, among exactly these people. The same thread may hold another
  /// one among some of them, which the others must not seem to know. `me` is nil until the account is known.
  public func holds(_ qwink: Qwink, me: Qwinker.ID?) -> Bool {
    guard qwink.visibility == .direct, qwink.booster == nil else { return false }
    if qwink.id == lastQwink?.id { return true }
    let others = Set(participants.map(\.id))
    let people = Set(qwink.mentions.map(\.id)).union([qwink.author.id])
    guard let me else { return people.isSuperset(of: others) && people.count <= others.count + 1 }
    return people.subtracting([me]) == others.subtracting([me])
  }
}
