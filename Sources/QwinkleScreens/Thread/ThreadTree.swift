import QwinkleModel

/// A thread as a tree, written out from top to bottom: what is answered, the qwink that was opened, and each answer
/// followed by the answers to it.
struct ThreadTree: Hashable {
  /// A qwink in the tree.
  struct Node: Hashable {
    var qwink: Qwink
    /// How many answers lie between it and the qwink that was opened; 0 for that one and for what it answers.
    var depth: Int
  }

  private(set) var nodes: [Node]
  /// Where the qwink that was opened stands.
  private(set) var focusIndex: Int

  /// The tree around `focus`. What `thread` holds twice stands once; an answer to something that is not there stands
  /// below the qwink that was opened.
  init(focus: Qwink, thread: QwinkThread?) {
    var seen: Set<Qwink.ID> = [focus.originalID]
    let ancestors = (thread?.ancestors ?? []).filter { seen.insert($0.originalID).inserted }
    let descendants = (thread?.descendants ?? []).filter { seen.insert($0.originalID).inserted }
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
      let answers = children[node.qwink.originalID] ?? []
      waiting += answers.reversed().map { Node(qwink: $0, depth: node.depth + 1) }
    }
    // Answers that answer each other in a circle hang on nothing that was opened.
    nodes += descendants.filter { !placed.contains($0.originalID) }.map { Node(qwink: $0, depth: 1) }
  }

  /// How many answers there are, with the answers to them.
  var answersCount: Int { nodes.count - focusIndex - 1 }

  /// Shows a qwink that has another id now. Returns whether it is here.
  mutating func replace(_ id: Qwink.ID, by newer: Qwink) -> Bool {
    guard let index = nodes.firstIndex(where: { $0.qwink.originalID == id }),
      let replaced = nodes[index].qwink.replaced(id, by: newer)
    else { return false }
    nodes[index].qwink = replaced
    return true
  }

  /// Shows the newer state of a qwink. Returns whether it is here.
  mutating func update(by newer: Qwink) -> Bool {
    guard let index = nodes.firstIndex(where: { $0.qwink.originalID == newer.originalID }),
      let updated = nodes[index].qwink.updated(by: newer)
    else { return false }
    nodes[index].qwink = updated
    return true
  }
}
