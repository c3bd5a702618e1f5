import GRDB
import QwinkleModel

extension Session {
  /// The longest way up, and the most answers, that a context shows.
  private static let mostInThread = 4096

  /// What stands around a status that the viewer may see. What they may not see is left out.
  func thread(around id: Int64) throws -> QwinkThread {
    let ancestors = try numbers(
      """
      WITH RECURSIVE up (id, depth) AS (
        SELECT in_reply_to_id, 1 FROM statuses WHERE id = ? AND in_reply_to_id IS NOT NULL
        UNION ALL
        SELECT s.in_reply_to_id, depth + 1 FROM statuses s JOIN up ON s.id = up.id
        WHERE s.in_reply_to_id IS NOT NULL AND depth < ?)
      SELECT id FROM up ORDER BY depth DESC
      """, [id, Self.mostInThread])
    let below = try rows(
      """
      WITH RECURSIVE down (id, parent) AS (
        SELECT id, in_reply_to_id FROM statuses WHERE in_reply_to_id = ?
        UNION ALL
        SELECT s.id, s.in_reply_to_id FROM statuses s JOIN down ON s.in_reply_to_id = down.id
        LIMIT ?)
      SELECT id, parent FROM down ORDER BY id
      """, [id, Self.mostInThread])
    return QwinkThread(
      ancestors: try qwinks(ancestors),
      descendants: try qwinks(Self.inDepth(from: id, below.map { (id: $0[0], parent: $0[1]) })))
  }

  /// Answers in the order in which they are read: each followed by the answers to it. `answers` are in order of time.
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
}
