import GRDB
import HTTPTypes
import QwinkleModel
import SafeText

/// What a qwink is made of before it has an id.
struct NewStatus {
  var account: Int64
  /// The text as it came.
  var source: String
  var visibility: Visibility = .public
  var warning = ""
  var language: String?
  /// What it answers, and whose that is.
  var parent: (id: Int64, account: Int64)?
}

extension Session {
  /// The condition under which the viewer may see the status `s`. Every path to a status goes through it.
  var visible: SQL {
    guard let viewer else { return "s.visibility <= \(VisibilityCode.unlisted)" }
    return """
      (s.visibility <= \(VisibilityCode.unlisted) OR s.account_id = \(viewer)
      OR EXISTS (SELECT 1 FROM mentions m WHERE m.status_id = s.id AND m.account_id = \(viewer))
      OR (s.visibility = \(VisibilityCode.private) AND EXISTS
        (SELECT 1 FROM follows f WHERE f.account_id = \(viewer) AND f.target_id = s.account_id)))
      """
  }

  /// The statuses with these ids that exist and that the viewer may see, in the order of the ids.
  func qwinks(_ ids: [Int64]) throws -> [Qwink] {
    guard !ids.isEmpty else { return [] }
    let list = jsonArray(ids)
    let rows = try Row.fetchAll(
      db.cachedStatement(
        literal: """
          SELECT s.id, s.account_id, s.created_at, s.edited_at, s.visibility, s.in_reply_to_id,
            s.in_reply_to_account_id, s.source, s.warning, s.language, s.replies_count
          FROM statuses s WHERE s.id IN (SELECT value FROM json_each(\(list))) AND \(visible)
          """))
    let authors = try qwinkers(Set(rows.map { $0[1] as Int64 }))
    let mentions = try mentions(in: list)
    var qwinks: [Int64: Qwink] = [:]
    for row in rows {
      let id: Int64 = row[0]
      guard let author = authors[row[1]] else { continue }
      qwinks[id] = qwink(row, author: author, mentions: mentions[id] ?? [])
    }
    return ids.compactMap { qwinks[$0] }
  }

  /// The status with this id, if the viewer may see it.
  func qwink(_ id: Int64?) throws -> Qwink {
    guard let id, let qwink = try qwinks([id]).first else { throw Refusal.notFound }
    return qwink
  }

  /// Who wrote a status that the viewer may see; nil for any other.
  func author(ofVisible id: Int64) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(literal: "SELECT s.account_id FROM statuses s WHERE s.id = \(id) AND \(visible)"))
  }

  /// Stores a status with its mentions and tags, and counts it.
  func addStatus(_ new: NewStatus) throws -> Int64 {
    let id = try nextID()
    try run(
      """
      INSERT INTO statuses (id, account_id, created_at, visibility, in_reply_to_id, in_reply_to_account_id, source,
        warning, language) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        id, new.account, nowInMilliseconds, VisibilityCode.code(new.visibility), new.parent?.id, new.parent?.account,
        new.source, new.warning, new.language,
      ])
    let text = SafeText.paragraphs(new.source)
    for account in try accountIDs(named: mentionedNames(in: text)).values {
      try run("INSERT INTO mentions (status_id, account_id) VALUES (?, ?)", [id, account])
    }
    for tag in Set(linkify(text).tagNames.map(TagName.folded)) {
      try run("INSERT INTO status_tags (tag, status_id) VALUES (?, ?)", [tag, id])
    }
    try count(account: new.account, parent: new.parent?.id, visibility: new.visibility, by: 1)
    return id
  }

  /// Deletes a status of the viewer's own and returns it with its source.
  func deleteStatus(_ id: Int64?) throws -> (qwink: Qwink, source: String) {
    let me = try me()
    guard let id, let row = try row("SELECT source FROM statuses WHERE id = ? AND account_id = ?", [id, me]) else {
      throw Refusal(status: .notFound, message: "You have no qwink with this id.")
    }
    let qwink = try qwink(id)
    let parent = qwink.inReplyTo.flatMap { Int64($0.rawValue) }
    try run("DELETE FROM statuses WHERE id = ?", [id])
    try count(account: me, parent: parent, visibility: qwink.visibility, by: -1)
    return (qwink, row[0])
  }

  /// Keeps the counts that others see. What is not for everybody does not show in them.
  private func count(account: Int64, parent: Int64?, visibility: Visibility, by step: Int) throws {
    if visibility != .direct {
      try run("UPDATE accounts SET statuses_count = max(0, statuses_count + ?) WHERE id = ?", [step, account])
    }
    if let parent, visibility == .public || visibility == .unlisted {
      try run("UPDATE statuses SET replies_count = max(0, replies_count + ?) WHERE id = ?", [step, parent])
    }
  }

  /// Who is mentioned in the statuses of a list, by status.
  private func mentions(in list: String) throws -> [Int64: [Qwink.Mention]] {
    var mentions: [Int64: [Qwink.Mention]] = [:]
    let rows = try rows(
      """
      SELECT m.status_id, a.id, a.name FROM mentions m JOIN accounts a ON a.id = m.account_id
      WHERE m.status_id IN (SELECT value FROM json_each(?)) ORDER BY m.status_id, a.name
      """, [list])
    for row in rows {
      let name: String = row[2]
      mentions[row[0], default: []].append(
        Qwink.Mention(
          id: Qwinker.ID(String(row[1] as Int64)), userName: name, handle: name, url: url(ofName: name)))
    }
    return mentions
  }

  private func qwink(_ row: Row, author: Qwinker, mentions: [Qwink.Mention]) -> Qwink {
    let id: Int64 = row[0]
    let urls = Dictionary(mentions.map { ($0.userName, $0.url ?? "") }, uniquingKeysWith: { first, _ in first })
    let text = linkify(SafeText.paragraphs(row[7]), mentions: urls)
    let warning = SafeText.line(row[8])
    let parent: Int64? = row[5]
    let parentAuthor: Int64? = row[6]
    return Qwink(
      id: Qwink.ID(String(id)), author: author, createdAt: .init(milliseconds: row[2]),
      editedAt: (row[3] as Int64?).map { .init(milliseconds: $0) }, text: text, contentWarning: warning,
      isSensitive: !warning.isEmpty, visibility: VisibilityCode.visibility(row[4]), language: row[9],
      url: origin.url("/@\(author.userName)/\(id)"), inReplyTo: parent.map { Qwink.ID(String($0)) },
      inReplyToAuthor: parent == nil ? nil : parentAuthor.map { Qwinker.ID(String($0)) }, mentions: mentions,
      tags: text.tagNames, repliesCount: row[10])
  }
}
