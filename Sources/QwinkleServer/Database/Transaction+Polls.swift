import GRDB
import HTTPTypes
import QwinkleModel
import SafeText

struct NewPoll: Codable, Hashable {
  var options: [String]
  var seconds: Int
  var allowsSeveral: Bool
  /// Whether the votes for each option stay hidden until the poll ends.
  var hidesTotals: Bool
}

extension Transaction {
  func addPoll(_ poll: NewPoll, to status: Int64) throws {
    let id = try nextID()
    let end = nowInMilliseconds + Int64(poll.seconds) * 1000
    try run(
      "INSERT INTO polls (id, status_id, expires_at, allows_several, hides_totals) VALUES (?, ?, ?, ?, ?)",
      [id, status, end, poll.allowsSeveral, poll.hidesTotals])
    for (position, title) in poll.options.enumerated() {
      try run("INSERT INTO poll_options (poll_id, position, title) VALUES (?, ?, ?)", [id, position, title])
    }
    plan(end)
  }

  func polls(of statuses: some Sequence<Int64>) throws -> [Int64: Poll] {
    let rows = try rows(
      """
      SELECT p.status_id, p.id, p.expires_at, p.allows_several, p.hides_totals, p.voters_count, s.account_id
      FROM polls p JOIN statuses s ON s.id = p.status_id WHERE p.status_id IN (SELECT value FROM json_each(?))
      """, [jsonArray(statuses)])
    if rows.isEmpty { return [:] }
    let ids = jsonArray(rows.map { $0[1] as Int64 })
    var options: [Int64: [Poll.Option]] = [:]
    for row in try self.rows(
      """
      SELECT poll_id, title, votes_count FROM poll_options
      WHERE poll_id IN (SELECT value FROM json_each(?)) ORDER BY poll_id, position
      """, [ids])
    { options[row[0], default: []].append(Poll.Option(title: SafeText.line(row[1]), votesCount: row[2])) }
    var votes: [Int64: [Int]] = [:]
    for row in try self.rows(
      """
      SELECT poll_id, position FROM poll_votes
      WHERE account_id = ? AND poll_id IN (SELECT value FROM json_each(?)) ORDER BY poll_id, position
      """, [viewer, ids])
    { votes[row[0], default: []].append(row[1]) }
    return rows.byID.mapValues { poll($0, options: options[$0[1]] ?? [], votes: votes[$0[1]] ?? []) }
  }

  private func poll(_ row: StoredRow, options: [Poll.Option], votes: [Int]) -> Poll {
    let (id, end, author): (Int64, Int64, Int64) = (row[1], row[2], row[6])
    let (hidesTotals, votersCount): (Bool, Int) = (row[4], row[5])
    let isExpired = end <= nowInMilliseconds
    let total = options.reduce(0) { $0 + ($1.votesCount ?? 0) }
    var shown = options
    if hidesTotals && !isExpired {
      for index in shown.indices { shown[index].votesCount = nil }
    }
    // Authors can't vote in their own poll. For them `hasVoted` is true, so that clients don't offer to vote.
    var poll = Poll(
      id: Identifier(String(id)), options: shown, expiresAt: .init(milliseconds: end), isExpired: isExpired,
      allowsSeveral: row[3], votesCount: total, hasVoted: !votes.isEmpty || author == viewer, ownVotes: votes)
    poll.votersCount = votersCount
    return poll
  }

  /// Returns a poll and its status if the viewer is allowed to see the status.
  func poll(_ id: Int64?) throws -> (poll: Poll, status: StatusTarget) {
    guard let id, let status = try numbers("SELECT status_id FROM polls WHERE id = ?", [id]).first,
      let target = try visibleTarget(status), let poll = try polls(of: [status])[status]
    else { throw Refusal.notFound }
    return (poll, target)
  }

  /// Casts the viewer's vote. `choices` are option positions, from 0. A vote is final.
  func vote(in id: Int64?, for choices: [Int]) throws {
    let me = try me()
    let (poll, status) = try poll(id)
    guard !poll.isExpired else { throw Refusal.invalid("The poll has ended.") }
    guard status.account != me else { throw Refusal.invalid("You can't vote in your own poll.") }
    guard poll.ownVotes.isEmpty else { throw Refusal.invalid("You have voted already.") }
    let chosen = Set(choices)
    guard !chosen.isEmpty, chosen.allSatisfy(poll.options.indices.contains) else {
      throw Refusal.invalid("choices must be the numbers of options, from 0.")
    }
    guard poll.allowsSeveral || chosen.count == 1 else { throw Refusal.invalid("This poll allows one choice.") }
    for position in chosen.sorted() {
      try run("INSERT INTO poll_votes (poll_id, account_id, position) VALUES (?, ?, ?)", [id, me, position])
      try run(
        "UPDATE poll_options SET votes_count = votes_count + 1 WHERE poll_id = ? AND position = ?", [id, position])
    }
    try run("UPDATE polls SET voters_count = voters_count + 1 WHERE id = ?", [id])
  }

  /// Closes polls that have ended and notifies their authors and voters.
  func closeDuePolls() throws {
    for row in try rows(
      """
      SELECT p.id, p.status_id, s.account_id FROM polls p JOIN statuses s ON s.id = p.status_id
      WHERE NOT p.is_closed AND p.expires_at <= ?
      """, [nowInMilliseconds])
    {
      let (id, status, author): (Int64, Int64, Int64) = (row[0], row[1], row[2])
      let voters = try numbers("SELECT DISTINCT account_id FROM poll_votes WHERE poll_id = ?", [id])
      for account in Set(voters).union([author]).sorted() {
        try notify(account, of: .poll, by: author, status: status)
      }
    }
    // Also closes due polls that the query above left out because they are malformed. Otherwise these polls would stay
    // due forever.
    try run("UPDATE polls SET is_closed = 1 WHERE NOT is_closed AND expires_at <= ?", [nowInMilliseconds])
  }
}
