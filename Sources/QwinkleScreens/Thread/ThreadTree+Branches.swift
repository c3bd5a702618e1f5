import QwinkleModel

/// Branches of a thread. A branch is the replies below a qwink, at any depth.
extension ThreadTree {
  /// Returns the nodes that stay visible when the replies to the qwinks in `folded` are hidden, and the number of
  /// hidden replies below each of these qwinks.
  func shown(folding folded: Set<Qwink.ID>) -> (nodes: [Node], hidden: [Qwink.ID: Int]) {
    guard !folded.isEmpty else { return (Self.connected(nodes), [:]) }
    var shown: [Node] = []
    var hidden: [Qwink.ID: Int] = [:]
    var index = 0
    while index < nodes.count {
      let node = nodes[index]
      shown.append(node)
      index += 1
      guard folded.contains(node.qwink.originalID) else { continue }
      let branch = Self.branch(below: index - 1, in: nodes, focus: focusIndex)
      if branch.isEmpty { continue }
      hidden[node.qwink.originalID] = branch.count
      index = branch.upperBound
    }
    return (Self.connected(shown), hidden)
  }

  /// Returns the nodes with the lines of the tree between them.
  private static func connected(_ nodes: [Node]) -> [Node] {
    var nodes = nodes
    // Levels at which a node follows, before any node of a lower level.
    var following: [Bool] = []
    for index in nodes.indices.reversed() where nodes[index].depth > 0 {
      let depth = nodes[index].depth
      following += Array(repeating: false, count: max(0, depth - following.count))
      nodes[index].continues = Array(following[..<depth])
      nodes[index].hasReplies = following.count > depth
      following.removeLast(following.count - depth)
      following[depth - 1] = true
    }
    return nodes
  }

  /// Returns the indices of the replies to a node, at any depth. The range is empty for ancestors of the opened qwink.
  static func branch(below index: Int, in nodes: [Node], focus: Int) -> Range<Int> {
    let start = index + 1
    guard index >= focus else { return start..<start }
    if index == focus { return start..<nodes.count }
    let end = nodes[start...].firstIndex { $0.depth <= nodes[index].depth } ?? nodes.count
    return start..<end
  }

  /// Returns the index of the next or previous reply to the same parent, if any.
  static func sibling(of index: Int, in nodes: [Node], focus: Int, isNext: Bool) -> Int? {
    guard index > focus, nodes.indices.contains(index) else { return nil }
    let depth = nodes[index].depth
    let others = isNext ? Array((index + 1)..<nodes.count) : Array((focus + 1..<index).reversed())
    return others.first { nodes[$0].depth <= depth }.flatMap { nodes[$0].depth == depth ? $0 : nil }
  }

  /// Returns the index of the node that a node is placed below. For the opened qwink and its ancestors, this is the
  /// node before it. For a reply, it is the parent, or the opened qwink if the tree doesn't contain the parent. Nil for
  /// the first node.
  static func parent(of index: Int, in nodes: [Node], focus: Int) -> Int? {
    guard index > 0, nodes.indices.contains(index) else { return nil }
    guard index > focus else { return index - 1 }
    return nodes[..<index].lastIndex { $0.depth < nodes[index].depth }
  }

  /// Number of direct replies to the opened qwink that aren't in the tree, according to the qwink's reply count.
  var missingReplies: Int {
    let focus = nodes[focusIndex].qwink
    let here = nodes[(focusIndex + 1)...].count { $0.qwink.inReplyTo == focus.originalID }
    return max(0, focus.repliesCount - here)
  }
}
