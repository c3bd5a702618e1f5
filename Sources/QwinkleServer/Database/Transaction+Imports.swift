import GRDB
import HTTPTypes
import QwinkleModel
import SafeText

/// A post from an archive.
struct ImportedStatus {
  /// The post's id in the archive.
  var uri: String
  var new: NewStatus
  /// Milliseconds since 1970, in the past.
  var createdAt: Int64
  var editedAt: Int64?
  /// The id of the parent in the archive, if the post is a reply.
  var parent: String?
  var poll: ImportedPoll?
}

/// A closed poll from an archive.
struct ImportedPoll {
  var options: [String]
  /// The votes for each option.
  var votes: [Int]
  var votersCount: Int
  var allowsSeveral: Bool
  /// Milliseconds since 1970, in the past.
  var endedAt: Int64
}

extension Transaction {
  /// First of the low 16 bits in the ids of imported posts. The ids of other posts count from 0 in each millisecond.
  private static let firstImported: Int64 = 0x8000

  /// Returns the viewer's posts that were imported from these ids, and the posts that have these addresses, by address.
  func importedStatuses(_ uris: [String]) throws -> [String: Int64] {
    let me = try me()
    var found: [String: Int64] = [:]
    guard let name = try rows("SELECT name FROM accounts WHERE id = ?", [me]).first.map({ $0[0] as String }) else {
      return found
    }
    let start = origin.url("/@\(name)/")
    for uri in uris {
      let imported = try numbers("SELECT status_id FROM imported WHERE account_id = ? AND uri = ?", [me, uri]).first
      // An archive of this account, which still has the post.
      let here = uri.hasPrefix(start) ? Int64(uri.dropFirst(start.count)) : nil
      let own = try here.flatMap {
        try numbers("SELECT id FROM statuses WHERE id = ? AND account_id = ? AND boost_of_id IS NULL", [$0, me]).first
      }
      if let id = imported ?? own { found[uri] = id }
    }
    return found
  }

  /// Stores a post from an archive with its original time. Returns its id, or the id of the post that an earlier import
  /// has stored. Notifies no account and publishes no event. The post mentions no account: a name in it may belong to
  /// another person on this server, who must not gain access to a private message.
  func importStatus(_ imported: ImportedStatus) throws -> Int64 {
    if let known = try importedStatuses([imported.uri])[imported.uri] { return known }
    var new = imported.new
    if let uri = imported.parent, let parent = try importedStatuses([uri])[uri] { new.parent = (parent, new.account) }
    let id = try importedID(at: imported.createdAt, after: new.parent?.id)
    try insert(new, id: id, at: imported.createdAt, editedAt: imported.editedAt)
    if new.visibility == .direct { try addToOwnConversation(id, of: new.account) }
    try count(account: new.account, parent: new.parent?.id, visibility: new.visibility, by: 1)
    if let poll = imported.poll { try addClosedPoll(poll, to: id) }
    try attach(new.media, to: id, of: new.account)
    if new.visibility == .public || new.visibility == .unlisted {
      try run(
        "UPDATE accounts SET last_status_at = max(coalesce(last_status_at, 0), ?) WHERE id = ?",
        [imported.createdAt, new.account])
    }
    try run("INSERT INTO imported (account_id, uri, status_id) VALUES (?, ?, ?)", [new.account, imported.uri, id])
    return id
  }

  /// Returns an unused id for a post at `time`, so that timelines sort the post by its time. If possible, the id is
  /// greater than the parent's: archives of other servers have times in whole seconds.
  private func importedID(at time: Int64, after parent: Int64?) throws -> Int64 {
    let (first, end) = ((time << 16) | Self.firstImported, (time << 16) | 0xFFFF)
    let last = try numbers("SELECT coalesce(max(id), 0) FROM statuses WHERE id BETWEEN ? AND ?", [first, end]).first
    let next = max(first, (last ?? 0) + 1)
    let id = parent.map { (first..<end).contains($0) ? max(next, $0 + 1) : next } ?? next
    guard id <= end else { throw Refusal.invalid("Too many posts have the time of this post.") }
    return id
  }

  /// Adds a direct post to the account's conversation with itself.
  private func addToOwnConversation(_ status: Int64, of account: Int64) throws {
    let participants = jsonArray([account])
    try run("INSERT OR IGNORE INTO conversations (id, participants) VALUES (?, ?)", [nextID(), participants])
    try run(
      "UPDATE statuses SET conversation_id = (SELECT id FROM conversations WHERE participants = ?) WHERE id = ?",
      [participants, status])
    try run(
      """
      INSERT INTO conversation_members (account_id, conversation_id, last_status_id, last_read_id)
      SELECT ?1, id, ?2, ?2 FROM conversations WHERE participants = ?3
      ON CONFLICT DO UPDATE SET last_status_id = max(last_status_id, excluded.last_status_id),
        last_read_id = max(last_read_id, excluded.last_read_id)
      """, [account, status, participants])
  }

  private func addClosedPoll(_ poll: ImportedPoll, to status: Int64) throws {
    let id = try nextID()
    try run(
      """
      INSERT INTO polls (id, status_id, expires_at, allows_several, hides_totals, voters_count, is_closed)
      VALUES (?, ?, ?, ?, 0, ?, 1)
      """, [id, status, poll.endedAt, poll.allowsSeveral, poll.votersCount])
    for (position, title) in poll.options.enumerated() {
      try run(
        "INSERT INTO poll_options (poll_id, position, title, votes_count) VALUES (?, ?, ?, ?)",
        [id, position, title, poll.votes[position]])
    }
  }
}
