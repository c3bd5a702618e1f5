import FoundationEssentials

/// The messages of one conversation as far as they are known, oldest first. Several answers of a server bring them in
/// pieces: a thread is a tree, and a chat is a line, by time, and where that is the same, as the server has it; but an
/// answer stands after what it answers, whatever clocks say.
public struct MessageLog: Sendable {
  public private(set) var messages: [Qwink] = []

  public init(_ messages: [Qwink] = []) {
    merge(messages)
  }

  public var isEmpty: Bool { messages.isEmpty }

  public func contains(_ id: Qwink.ID) -> Bool { messages.contains { $0.id == id } }

  /// Takes in messages, or newer states of them. Returns those that are new or different.
  @discardableResult
  public mutating func merge(_ brought: [Qwink]) -> [Qwink] {
    var states = Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0) })
    var different: [Qwink] = []
    for qwink in brought where states[qwink.id] != qwink {
      states[qwink.id] = qwink
      different.append(qwink)
    }
    // One that is as it was says nothing of the order either.
    guard !different.isEmpty || brought.count > 1 else { return [] }
    let order = Self.joined(messages.map(\.id), brought.map(\.id))
    messages = Self.inOrder(order.compactMap { states[$0] })
    return different
  }

  /// `known` and what is new of `brought`. Those of `brought` stand among themselves as the server has them: nobody
  /// else knows what came first of what was said in the same moment.
  private static func joined(_ known: [Qwink.ID], _ brought: [Qwink.ID]) -> [Qwink.ID] {
    let places = Set(known)
    var seen: Set<Qwink.ID> = []
    var waiting = ArraySlice(brought.filter { seen.insert($0).inserted })
    var order: [Qwink.ID] = []
    for id in known {
      guard seen.contains(id) else {
        order.append(id)
        continue
      }
      // A place that one of them had is for the next that had one, and for what is new before that.
      while let next = waiting.popFirst() {
        order.append(next)
        if places.contains(next) { break }
      }
    }
    return order + waiting
  }

  /// Takes out what was deleted: what is among `known`, hangs on `thread`, which is all that there is of it, and is not
  /// in it. Returns what went.
  public mutating func removeMissing(from thread: [Qwink], of known: Set<Qwink.ID>) -> [Qwink.ID] {
    let removed = missing(from: thread).intersection(known)
    messages.removeAll { removed.contains($0.id) }
    return Array(removed)
  }

  /// Puts a message that has another id now in the place of what it was. Returns whether that was there.
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
    // What answers it, answers what it is now.
    for other in messages.indices where messages[other].inReplyTo == id { messages[other].inReplyTo = replaced.id }
    return true
  }

  /// Takes a message out. Returns whether it was there.
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
    // By its own clock, but not before what it answers.
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

  /// `message` after what it answers, as far up as that is not `known`, from the top down. A server may claim that two
  /// messages answer each other.
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
  /// Whether a qwink was said in this exchange: privately, among exactly these people. In one thread there may be
  /// another, between some of them only: what was said there must not be taken for known to all. `me` is nil where
  /// nobody knows yet who reads.
  public func holds(_ qwink: Qwink, me: Qwinker.ID?) -> Bool {
    guard qwink.visibility == .direct, qwink.booster == nil else { return false }
    if qwink.id == lastQwink?.id { return true }
    let others = Set(participants.map(\.id))
    let people = Set(qwink.mentions.map(\.id)).union([qwink.author.id])
    guard let me else { return people.isSuperset(of: others) && people.count <= others.count + 1 }
    return people.subtracting([me]) == others.subtracting([me])
  }
}
