public import QwinkleModel

/// A thread as a tree, from top to bottom: the ancestors of the opened qwink, the qwink, and each reply followed by its
/// own replies.
public struct ThreadTree: Hashable {
  public struct Node: Hashable, Identifiable {
    var qwink: Qwink
    /// Number of levels below the opened qwink. 0 for the opened qwink and its ancestors.
    var depth: Int
    /// For each level from 1 to ``depth``: whether a line of the tree continues at this level below the node.
    var continues: [Bool] = []
    /// Whether replies to the qwink follow.
    var hasReplies = false
    /// Whether the qwink is on another server only, not on the account's server. Such a qwink supports no actions.
    var isElsewhere = false

    public var id: Qwink.RowID { qwink.rowID }
  }

  private(set) var nodes: [Node]
  /// The index of the opened qwink.
  private(set) var focusIndex: Int

  /// Creates the tree around `focus`, without duplicates. A reply with an unknown parent is placed below `focus`. The
  /// qwinks in `elsewhere` get nodes with ``Node/isElsewhere``.
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
    // Replies that form a cycle can't be reached from the opened qwink.
    nodes += descendants.filter { !placed.contains($0.originalID) }.map { Node(qwink: $0, depth: 1) }
    guard !elsewhere.isEmpty else { return }
    for index in nodes.indices { nodes[index].isElsewhere = elsewhere.contains(nodes[index].qwink.originalID) }
  }

  /// The number of replies at any depth.
  var repliesCount: Int { nodes.count - focusIndex - 1 }

  /// Replaces a qwink whose id has changed. Returns whether the tree contains it.
  mutating func replace(_ id: Qwink.ID, by newer: Qwink) -> Bool {
    guard let index = nodes.firstIndex(where: { $0.qwink.originalID == id }),
      let replaced = nodes[index].qwink.replaced(id, by: newer)
    else { return false }
    nodes[index].qwink = replaced
    return true
  }

  /// Updates a qwink. Returns whether the tree contains it.
  mutating func update(by newer: Qwink) -> Bool {
    guard let index = nodes.firstIndex(where: { $0.qwink.originalID == newer.originalID }),
      let updated = nodes[index].qwink.updated(by: newer)
    else { return false }
    nodes[index].qwink = updated
    return true
  }
}
