import FoundationEssentials

/// The messages of one conversation as far as they are known, oldest first. Several answers of a server bring them in pieces:
/// a thread is a tree, and a chat is a line, by time; but an answer stands after what it answers, whatever clocks say.
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
    var places = Dictionary(uniqueKeysWithValues: messages.indices.map { (messages[$0].id, $0) })
    var different: [Qwink] = []
    for qwink in brought {
      if let place = places[qwink.id] {
        guard messages[place] != qwink else { continue }
        messages[place] = qwink
      } else {
        places[qwink.id] = messages.count
        messages.append(qwink)
      }
      different.append(qwink)
    }
    if !different.isEmpty { messages = Self.inOrder(messages) }
    return different
  }

  /// Takes out what was deleted: what is among `known`, hangs on `thread`, which is all that there is of it, and is not
  /// in it. Returns what went.
  public mutating func removeMissing(from thread: [Qwink], of known: Set<Qwink.ID>) -> [Qwink.ID] {
    let removed = missing(from: thread).intersection(known)
    messages.removeAll { removed.contains($0.id) }
    return Array(removed)
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
    var moments: [Qwink.ID: Moment] = [:]
    for message in messages { place(message, among: byID, into: &moments) }
    return messages.enumerated().sorted { first, second in
      let (left, right) = (moments[first.element.id], moments[second.element.id])
      guard let left, let right, left != right else { return first.offset < second.offset }
      return left < right
    }.map(\.element)
  }

  /// When a message was said: by its own clock, but not before what it answers.
  private struct Moment: Comparable {
    var time: Date
    /// How many answers by slow clocks led here.
    var steps = 0

    static func < (left: Moment, right: Moment) -> Bool {
      (left.time, left.steps) < (right.time, right.steps)
    }
  }

  private static func place(_ message: Qwink, among byID: [Qwink.ID: Qwink], into moments: inout [Qwink.ID: Moment]) {
    // Up to what has a place already, then down again. A server may claim that two messages answer each other.
    var path: [Qwink] = []
    var onPath: Set<Qwink.ID> = []
    var current: Qwink? = message
    while let next = current, moments[next.id] == nil, onPath.insert(next.id).inserted {
      path.append(next)
      current = next.inReplyTo.flatMap { byID[$0] }
    }
    for message in path.reversed() {
      var moment = Moment(time: message.createdAt)
      if let parent = message.inReplyTo.flatMap({ moments[$0] }), moment.time <= parent.time {
        moment = Moment(time: parent.time, steps: parent.steps + 1)
      }
      moments[message.id] = moment
    }
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
