public import QwinkleModel

/// A thread as a tree, from top to bottom: what the opened qwink replies to, the qwink, and each reply followed by the
/// replies to it.
public struct ThreadTree: Hashable {
  /// A qwink in the tree.
  public struct Node: Hashable, Identifiable {
    var qwink: Qwink
    /// How many replies it is below the opened qwink; 0 for that and those above.
    var depth: Int
    /// Whether only another server has it: nothing can be done to it here.
    var isElsewhere = false

    public var id: Qwink.RowID { qwink.rowID }
  }

  private(set) var nodes: [Node]
  /// The index of the opened qwink.
  private(set) var focusIndex: Int

  /// The tree around `focus`, without duplicates. A reply to something that is not there stands below `focus`.
  /// Those in `elsewhere` are marked.
  init(focus: Qwink, thread: QwinkThread?, elsewhere: Set<Qwink.ID> = []) {
    let thread = (thread ?? QwinkThread()).withoutRepetitions(around: focus)
    let (ancestors, descendants) = (thread.ancestors, thread.descendants)
    nodes = ancestors.map { Node(qwink: $0, depth: 0) }
    focusIndex = nodes.count
    nodes.append(Node(qwink: focus, depth: 0))

    let present = Set(descendants.map(\.originalID))
    let children = Dictionary(grouping: descendants) { qwink in
      qwink.inReplyTo.flatMap { present.contains($0) ? $0 : nil } ?? focus.originalID
    }
    var waiting = (children[focus.originalID] ?? []).reversed().map { Node(qwink: $0, depth: 1) }
    var placed: Set<Qwink.ID> = []
    while let node = waiting.popLast() {
      guard placed.insert(node.qwink.originalID).inserted else { continue }
      nodes.append(node)
      let replies = children[node.qwink.originalID] ?? []
      waiting += replies.reversed().map { Node(qwink: $0, depth: node.depth + 1) }
    }
    // Replies in a circle don't hang on the opened qwink.
    nodes += descendants.filter { !placed.contains($0.originalID) }.map { Node(qwink: $0, depth: 1) }
    guard !elsewhere.isEmpty else { return }
    for index in nodes.indices { nodes[index].isElsewhere = elsewhere.contains(nodes[index].qwink.originalID) }
  }

  /// The number of replies at any depth.
  var repliesCount: Int { nodes.count - focusIndex - 1 }

  /// Replaces a qwink that has another id now. Returns whether it is here.
  mutating func replace(_ id: Qwink.ID, by newer: Qwink) -> Bool {
    guard let index = nodes.firstIndex(where: { $0.qwink.originalID == id }),
      let replaced = nodes[index].qwink.replaced(id, by: newer)
    else { return false }
    nodes[index].qwink = replaced
    return true
  }

  /// Updates a qwink. Returns whether it is here.
  mutating func update(by newer: Qwink) -> Bool {
    guard let index = nodes.firstIndex(where: { $0.qwink.originalID == newer.originalID }),
      let updated = nodes[index].qwink.updated(by: newer)
    else { return false }
    nodes[index].qwink = updated
    return true
  }
}
