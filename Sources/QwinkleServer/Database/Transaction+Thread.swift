import GRDB
import QwinkleModel

extension Transaction {
  /// Maximum number of ancestors and, separately, of descendants. As on Mastodon, signed-out viewers get fewer.
  private var mostInThread: Int { viewer == nil ? 60 : 4096 }
  /// Maximum estimated size of a thread's JSON, in bytes.
  private static let mostThreadBytes = 4 << 20
  /// A list of at most this many posts always fits into the byte limit, even if every post has the maximum length.
  private static let fewInThread = 100

  /// Returns the ancestors and descendants of a status, as far as the viewer is allowed to see them. A branch ends at a
  /// status that is hidden from the viewer, so that the thread doesn't reveal that the status exists. If the thread
  /// would be too large, the earliest ancestors and the last descendants are left out.
  ///
  /// The thread of a direct qwink also includes the whole conversation: earlier qwinks are ancestors and later qwinks
  /// are descendants. Clients can therefore show a chat by requesting the thread of its last qwink.
  func thread(around target: StatusTarget) throws -> QwinkThread {
    let above = try above(target.id)
    let below = try below(target.id)
    guard target.visibility == .direct else { return try thread(above, Self.inDepth(from: target.id, below)) }
    let before = try conversation(around: target.id, PageRequest.Range(before: target.id))
    let after = try conversation(around: target.id, PageRequest.Range(after: target.id, isAscending: true))
    return try thread(Set(above + before).sorted(), Set(below.map(\.id) + after).sorted())
  }

  private func thread(_ ancestors: [Int64], _ descendants: [Int64]) throws -> QwinkThread {
    var room = Self.mostThreadBytes
    let nearest = try fitting(ancestors.reversed(), &room)
    return QwinkThread(ancestors: try qwinks(nearest.reversed()), descendants: try qwinks(fitting(descendants, &room)))
  }

  /// Returns the longest prefix of `ids` whose posts have an estimated JSON size of at most `room` bytes, and subtracts
  /// that size from `room`. A list of at most ``fewInThread`` ids is returned whole, without changing `room`.
  private func fitting(_ ids: [Int64], _ room: inout Int) throws -> [Int64] {
    guard ids.count > Self.fewInThread else { return ids }
    // Each hashtag or mention adds a link to the JSON's content and an entry to its tags or mentions. Both contain a
    // URL.
    let bytesOfLink = 150 + 2 * origin.url("").utf8.count
    let sizes = try rows(
      literal: """
        SELECT s.id, 1500 + 8 * length(s.source)
          + \(bytesOfLink) * (length(s.source) - length(replace(replace(s.source, '#', ''), '@', '')))
        FROM statuses s WHERE s.id IN (SELECT value FROM json_each(\(jsonArray(ids))))
        """
    ).map { ($0[0] as Int64, $0[1] as Int) }
    let size = Dictionary(sizes) { first, _ in first }
    var left = room
    let fitting = ids.prefix { id in
      left -= size[id] ?? 0
      return left >= 0
    }
    room = left
    return Array(fitting)
  }

  /// Sorts chronological replies into reading order, in which each reply is followed by its own replies.
  static func inDepth(from root: Int64, _ answers: [(id: Int64, parent: Int64)]) -> [Int64] {
    var children: [Int64: [Int64]] = [:]
    for answer in answers { children[answer.parent, default: []].append(answer.id) }
    var order: [Int64] = []
    var waiting = Array((children[root] ?? []).reversed())
    while let id = waiting.popLast() {
      order.append(id)
      waiting += (children[id] ?? []).reversed()
    }
    return order
  }

  /// Returns a status's ancestors, earliest first.
  private func above(_ id: Int64) throws -> [Int64] {
    try numbers(
      literal: """
        WITH RECURSIVE up (id, parent, depth) AS (
          SELECT s.id, s.in_reply_to_id, 0 FROM statuses s WHERE s.id = \(id)
          UNION ALL
          SELECT s.id, s.in_reply_to_id, depth + 1 FROM up JOIN statuses s ON s.id = up.parent
          WHERE depth < \(mostInThread) AND \(visible))
        SELECT id FROM up WHERE depth > 0 ORDER BY depth DESC
        """)
  }

  /// Returns a status's descendants in chronological order.
  private func below(_ id: Int64) throws -> [(id: Int64, parent: Int64)] {
    try rows(
      literal: """
        WITH RECURSIVE down (id, parent) AS (
          SELECT s.id, s.in_reply_to_id FROM statuses s WHERE s.in_reply_to_id = \(id) AND \(visible)
          UNION ALL
          SELECT s.id, s.in_reply_to_id FROM down JOIN statuses s ON s.in_reply_to_id = down.id WHERE \(visible)
          LIMIT \(mostInThread))
        SELECT id, parent FROM down ORDER BY id
        """
    ).map { (id: $0[0], parent: $0[1]) }
  }

  /// Returns the statuses in `range` that belong to the conversation of a direct status.
  private func conversation(around id: Int64, _ range: PageRequest.Range) throws -> [Int64] {
    try numbers(
      literal: """
        SELECT s.id FROM statuses s
        WHERE s.conversation_id = (SELECT conversation_id FROM statuses WHERE id = \(id)) AND \(range.holds("s.id"))
        AND \(visible) \(range.first(mostInThread, by: "s.id"))
        """)
  }
}
